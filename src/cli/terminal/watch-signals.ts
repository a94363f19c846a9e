import { exitCode, type ExitCode } from "../../contract/exit-code.ts";

/** Turns Ctrl-C and a request to end into an abort, for commands that have something to clean up. */
export interface WatchedSignals {
  readonly abort: AbortSignal;
  /** The exit code of the signal that came; undefined if none did. */
  readonly owedCode: () => ExitCode | undefined;
  readonly release: () => void;
}

export function watchSignals(): WatchedSignals {
  const controller = new AbortController();
  let owed: ExitCode | undefined;
  const stop = (code: ExitCode) => (): void => {
    owed ??= code;
    controller.abort();
  };
  const onInterrupt = stop(exitCode.interrupted);
  const onTerminate = stop(exitCode.terminated);
  process.on("SIGINT", onInterrupt);
  process.on("SIGTERM", onTerminate);
  return {
    abort: controller.signal,
    owedCode: () => owed,
    release: () => {
      process.off("SIGINT", onInterrupt);
      process.off("SIGTERM", onTerminate);
    },
  };
}
