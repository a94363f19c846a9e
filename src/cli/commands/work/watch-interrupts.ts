import { exitCode, type ExitCode } from "../../../contract/exit-code.ts";
import type { CommandContext } from "../../command-module.ts";

export interface InterruptOptions {
  readonly story: string;
  /** Asks the supervisor to stop the story. */
  readonly stop: () => Promise<unknown>;
  /** Shows a line without breaking what is on the screen. */
  readonly tell: (text: string) => void;
}

export interface Interrupts {
  /** Resolves when the person has detached. */
  readonly detached: Promise<ExitCode>;
  /** The exit status owed to a signal that stopped the story. */
  signalCode(): ExitCode | undefined;
  release(): void;
}

const SECOND_PRESS_MS = 2000;

/**
 * On a terminal the first Ctrl-C detaches and a second within two seconds stops; a closed terminal changes nothing.
 * Without a terminal every signal stops, so that a cancelled job leaves nothing behind.
 */
export function watchInterrupts(context: CommandContext, options: InterruptOptions): Interrupts {
  const onTerminal = context.stdin().isTTY === true;
  let code: ExitCode | undefined;
  let timer: NodeJS.Timeout | undefined;
  let leave: (code: ExitCode) => void = () => undefined;
  const detached = new Promise<ExitCode>((resolve) => (leave = resolve));

  const stop = (owed: ExitCode): void => {
    code = owed;
    clearTimeout(timer);
    options.tell("Stopping; the work is kept…");
    void options.stop();
  };
  const interrupt = (): void => {
    if (!onTerminal || timer !== undefined) return stop(exitCode.interrupted);
    options.tell(`${options.story} keeps working. Press Ctrl-C again within 2 s to stop it.`);
    timer = setTimeout(() => leave(exitCode.interrupted), SECOND_PRESS_MS);
  };
  const terminate = (): void => stop(exitCode.terminated);
  const hangUp = (): void => (onTerminal ? leave(exitCode.interrupted) : stop(exitCode.terminated));

  process.on("SIGINT", interrupt);
  process.on("SIGTERM", terminate);
  process.on("SIGHUP", hangUp);
  return {
    detached,
    signalCode: () => code,
    release: () => {
      clearTimeout(timer);
      process.off("SIGINT", interrupt);
      process.off("SIGTERM", terminate);
      process.off("SIGHUP", hangUp);
    },
  };
}
