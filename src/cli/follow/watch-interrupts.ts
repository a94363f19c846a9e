import { exitCode, type ExitCode } from "../../contract/exit-code.ts";

export interface InterruptOptions {
  readonly story: string;
  /** With a person at a terminal, the first Ctrl-C only detaches. */
  readonly canDetach: boolean;
  /** Shows a line without breaking what is on the screen. */
  readonly tell: (text: string) => void;
}

export interface Interrupts {
  readonly stop: AbortSignal;
  readonly leave: AbortSignal;
  /** The exit status owed to a signal; undefined while none came. */
  readonly signalCode: () => ExitCode | undefined;
  readonly release: () => void;
}

const SECOND_PRESS_MS = 2000;

/**
 * On a terminal the first Ctrl-C detaches and a second within two seconds stops; a closed terminal changes nothing.
 * Without a terminal every signal stops, so that a cancelled CI job leaves nothing running.
 */
export function watchInterrupts({ story, canDetach, tell }: InterruptOptions): Interrupts {
  const [stopping, leaving] = [new AbortController(), new AbortController()];
  let code: ExitCode | undefined;
  let timer: NodeJS.Timeout | undefined;
  const leave = (): void => {
    code = exitCode.interrupted;
    leaving.abort();
  };
  const stop = (owed: ExitCode): void => {
    code = owed;
    clearTimeout(timer);
    tell("Stopping; the work is kept…");
    stopping.abort();
  };
  const interrupt = (): void => {
    if (!canDetach || timer !== undefined) return stop(exitCode.interrupted);
    tell(`${story} keeps working. Press Ctrl-C again within 2 s to stop it.`);
    timer = setTimeout(leave, SECOND_PRESS_MS);
  };
  const terminate = (): void => stop(exitCode.terminated);
  const hangUp = (): void => (canDetach ? leave() : stop(exitCode.terminated));

  process.on("SIGINT", interrupt);
  process.on("SIGTERM", terminate);
  process.on("SIGHUP", hangUp);
  return {
    stop: stopping.signal,
    leave: leaving.signal,
    signalCode: () => code,
    release: () => {
      clearTimeout(timer);
      process.off("SIGINT", interrupt);
      process.off("SIGTERM", terminate);
      process.off("SIGHUP", hangUp);
    },
  };
}
