import { Writable } from "node:stream";
import { createPrompt, useEffect, useKeypress } from "@inquirer/core";
import { hangUpWithoutKeys } from "../terminal/watch-terminal.ts";
import type { FullScreen } from "./full-screen.ts";

/** Why the screen was left: a key, Ctrl-C, or a signal that ends the program. */
export type LeaveReason = "quit" | "interrupt" | "terminate";

export interface KeyStroke {
  /** A character, or the name of a key such as `pagedown`. */
  readonly key: string;
  /** The text that was typed since it was last cleared, and the position of the cursor in it. */
  readonly line: string;
  readonly column: number;
}

export interface KeyListener {
  readonly screen: FullScreen;
  /** Called once the terminal gives every key at once. */
  readonly begin: () => void;
  /** Returns whether the typed line is kept; otherwise the next key begins a new one. */
  readonly press: (stroke: KeyStroke) => boolean;
  /** Aborted when the person has asked to leave. */
  readonly left: AbortSignal;
}

/** A signal that nothing listens to would end the program before the terminal is restored. */
const signals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;

/** Reads keys until the person leaves or a signal ends the program. The terminal reads lines again afterwards. */
export async function askForKeys(listener: KeyListener): Promise<LeaveReason> {
  const ended = new AbortController();
  let reason: LeaveReason | undefined;
  const end = (why: LeaveReason): void => {
    reason ??= why;
    ended.abort();
  };
  const quit = (): void => end("quit");
  const onSignal = (signal: NodeJS.Signals): void => end(signal === "SIGINT" ? "interrupt" : "terminate");
  listener.left.addEventListener("abort", quit, { once: true });
  // The library would restore the settings of a closed terminal, which fails.
  process.on("SIGHUP", hangUpWithoutKeys);
  process.stdin.on("end", hangUpWithoutKeys);
  for (const signal of signals) process.on(signal, onSignal);
  try {
    await readKeys({ ...listener, close: quit }, { output: nowhere(), signal: ended.signal });
    return reason ?? "quit";
  } catch (error) {
    if (!isPromptEnd(error)) throw error;
    // The library has an error of its own for Ctrl-C; every other way out has set the reason.
    return error.name === "ExitPromptError" ? "interrupt" : (reason ?? "quit");
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
    process.off("SIGHUP", hangUpWithoutKeys);
    process.stdin.off("end", hangUpWithoutKeys);
  }
}

const readKeys = createPrompt<void, KeyListener & { readonly close: () => void }>((listener) => {
  useKeypress((event, rl) => {
    const isKept = listener.press({ key: nameKey(event), line: rl.line, column: rl.getCursorPos().cols });
    if (!isKept) rl.clearLine(0);
  });
  useEffect((rl) => {
    listener.begin();
    rl.on("close", listener.close);
    rl.on("SIGTSTP", () => suspend(listener.screen));
  }, []);
  return "";
});

/** A letter in its own case, any other character as it is, and the name of a key that writes none. */
function nameKey(event: { readonly name: string; readonly ctrl: boolean }): string {
  const sequence = "sequence" in event && typeof event.sequence === "string" ? event.sequence : "";
  if (event.ctrl) return `ctrl-${event.name}`;
  const isCharacter = Array.from(sequence).length === 1 && sequence >= " " && sequence !== "\u007F";
  return isCharacter ? sequence : event.name === "enter" ? "return" : event.name;
}

/** Ctrl-Z: the shell gets its own screen, and this one comes back with `fg`. */
function suspend(screen: FullScreen): void {
  screen.close();
  process.stdin.setRawMode(false);
  process.once("SIGCONT", () => {
    process.stdin.setRawMode(true);
    screen.open();
    process.stdout.emit("resize");
  });
  process.kill(process.pid, "SIGTSTP");
}

/** The library would erase and write everything for each key; the screen draws what has changed. */
function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}

const promptEnds: ReadonlySet<string> = new Set(["ExitPromptError", "AbortPromptError", "CancelPromptError"]);

function isPromptEnd(error: unknown): error is Error {
  return error instanceof Error && promptEnds.has(error.name);
}
