import { isTerminal } from "./is-terminal.ts";

const STDIN = 0;
const DESCRIPTORS = [STDIN, 1, 2] as const;

/** Call it first, and its result last: if the terminal of this process was closed in between, the process hangs up. */
export function watchTerminal(): () => void {
  const terminals = DESCRIPTORS.filter(isTerminal);
  return () => {
    if (!terminals.every(isTerminal)) hangUp();
  };
}

/** For a process that reads keys: hangs up if the terminal was closed. */
export function hangUpWithoutKeys(): void {
  if (!isTerminal(STDIN)) hangUp();
}

/**
 * Ends this process by the signal that says that its terminal is gone. With any other end Node would crash, because it
 * cannot restore the settings of that terminal.
 */
function hangUp(): void {
  process.removeAllListeners("SIGHUP");
  process.kill(process.pid, "SIGHUP");
}
