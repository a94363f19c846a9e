import type { AppContext } from "../../app/use-case.ts";
import type { JournalEvent } from "../../contract/journal-event.ts";
import { exitCode, type ExitCode } from "../../contract/exit-code.ts";
import type { CommandContext, CommandOutcome } from "../input/command-module.ts";
import { foldLines } from "../render/fold-lines.ts";
import { renderStoryEnd, storyExitCode, type StoryEnd } from "../render/story-end.ts";
import { terminalWidth } from "../terminal/terminal-width.ts";
import { createReporter } from "../reporters/create-reporter.ts";

export interface FollowOptions {
  /** No supervisor continues the story, so every signal stops it. */
  readonly inProcess?: boolean;
  readonly onEvent?: (event: JournalEvent) => void;
}

const SECOND_PRESS_MS = 2000;

/** Lets a use case follow stories in this terminal, and gives the answer's exit status and text. */
export async function followInTerminal<Answer extends StoryEnd & Readonly<Record<string, unknown>>>(
  context: CommandContext,
  run: (context: AppContext) => Promise<Answer>,
  { inProcess = false, onEvent }: FollowOptions = {},
): Promise<CommandOutcome & { readonly json: Answer }> {
  let interrupts: Interrupts | undefined;
  let isAnswered = false;
  const followStory: AppContext["followStory"] = async (story) => {
    const hint = "Ctrl-C detaches, twice within 2 s stops";
    const reporter = await createReporter(context, story, inProcess ? {} : { hint });
    const canDetach = !inProcess && context.stdin().isTTY === true;
    const watched = watchInterrupts({ story, canDetach, tell: (text) => reporter.note(text) });
    interrupts = watched;
    return {
      event: (event) => {
        reporter.event(event);
        onEvent?.(event);
      },
      output: (delegation, text) => reporter.output(delegation, text),
      latest: (delegation, output) => reporter.latest?.(delegation, output),
      note: (text) => reporter.note(text),
      stop: watched.stop,
      leave: watched.leave,
      close: (ending) => {
        if (ending !== undefined) reporter.end(ending);
        isAnswered = ending !== undefined && reporter.answers;
        watched.release();
        reporter.close();
      },
    };
  };
  const json = await run({ ...context, followStory, canAnswer: context.input });
  return {
    exitCode: interrupts?.signalCode() ?? storyExitCode(json),
    json,
    text: isAnswered ? "" : foldLines(renderStoryEnd(json), terminalWidth(context.environment)),
  };
}

interface InterruptOptions {
  readonly story: string;
  /** With a person at a terminal, the first Ctrl-C only detaches. */
  readonly canDetach: boolean;
  /** Shows a line without breaking what is on the screen. */
  readonly tell: (text: string) => void;
}

interface Interrupts {
  readonly stop: AbortSignal;
  readonly leave: AbortSignal;
  /** The exit status owed to a signal; undefined while none came. */
  readonly signalCode: () => ExitCode | undefined;
  readonly release: () => void;
}

/**
 * On a terminal the first Ctrl-C detaches and a second within two seconds stops; a closed terminal changes nothing.
 * Without a terminal every signal stops, so that a cancelled CI job leaves nothing running.
 */
function watchInterrupts({ story, canDetach, tell }: InterruptOptions): Interrupts {
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
