interface Pending {
  /** Begins it, unless that has happened, and resolves when it is done. */
  readonly begin: () => Promise<void>;
  /** Gives it up, unless it has begun; resolves when nothing of it runs. */
  readonly drop: () => Promise<void>;
}

/** Before that, the first caller that needs the work begins it, and often the work is given up. */
const BEGIN_AFTER_MS = 1000;

/** Work on a checkout that its caller does not wait for, by the path of the checkout. */
const pending = new Map<string, Pending>();

/** Leaves work on a checkout for later; it must not fail. Work that was left before is done first. */
export function leavePending(path: string, work: () => Promise<void>): void {
  const earlier = pending.get(path);
  let begun: Promise<void> | undefined;
  const forget = (): void => {
    clearTimeout(timer);
    if (pending.get(path) === left) pending.delete(path);
  };
  const begin = (): Promise<void> => {
    begun ??= (earlier?.begin() ?? Promise.resolve()).then(work).finally(forget);
    return begun;
  };
  const drop = async (): Promise<void> => {
    if (begun !== undefined) return begun;
    forget();
    await earlier?.drop();
  };
  const left = { begin, drop };
  const timer = setTimeout(() => void begin(), BEGIN_AFTER_MS).unref();
  pending.set(path, left);
}

/** Resolves when no such work is left. Whatever uses the files or the index of a checkout waits for it. */
export async function waitForPending(path: string): Promise<void> {
  await pending.get(path)?.begin();
}

/** The checkout goes, so work that has not begun need not be done. */
export async function dropPending(path: string): Promise<void> {
  await pending.get(path)?.drop();
}

/** Does all work that was left below a folder. */
export async function finishPending(folder: string): Promise<void> {
  const paths = [...pending.keys()].filter((path) => path.startsWith(`${folder}/`));
  await Promise.all(paths.map(waitForPending));
}
