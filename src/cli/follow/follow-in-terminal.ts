import type { AppContext } from "../../app/use-case.ts";
import type { JournalEvent } from "../../contract/journal-event.ts";
import type { CommandContext, CommandOutcome } from "../input/command-module.ts";
import { foldLines } from "../render/fold-lines.ts";
import { renderStoryEnd, storyExitCode, type StoryEnd } from "../render/story-end.ts";
import { terminalWidth } from "../terminal/terminal-width.ts";
import { createReporter } from "../reporters/create-reporter.ts";
import { watchInterrupts, type Interrupts } from "./watch-interrupts.ts";

export interface FollowOptions {
  /** No supervisor continues the story, so every signal stops it. */
  readonly inProcess?: boolean;
  readonly onEvent?: (event: JournalEvent) => void;
}

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
