export interface Keys {
  /** Aborted by q, i, Ctrl-C or a signal that ends the program. */
  readonly ended: AbortSignal;
  /** Whether it was i, which opens the whole screen. */
  readonly wantsScreen: () => boolean;
  readonly release: () => void;
}

const CONTROL_C = "\u0003";
const CONTROL_D = "\u0004";
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Waits for the person to have seen enough. Only a terminal has keys; signals count everywhere. */
export function listenToKeys(hasKeys: boolean): Keys {
  const abort = new AbortController();
  const end = (): void => abort.abort();
  let wantsScreen = false;
  const onKeys = (keys: Buffer): void => {
    const text = keys.toString("utf8");
    if ([CONTROL_C, CONTROL_D, "q", "Q"].some((key) => text.includes(key))) return end();
    if (text !== "i") return;
    wantsScreen = true;
    end();
  };
  for (const signal of signals) process.on(signal, end);
  if (hasKeys) {
    // Keys come one by one and are not shown; Ctrl-C is then a key like any other.
    process.stdin.setRawMode(true);
    process.stdin.on("data", onKeys);
    process.stdin.resume();
  }
  return {
    ended: abort.signal,
    wantsScreen: () => wantsScreen,
    release: () => {
      for (const signal of signals) process.off(signal, end);
      if (!hasKeys) return;
      process.stdin.off("data", onKeys);
      process.stdin.setRawMode(false);
      process.stdin.pause();
    },
  };
}
