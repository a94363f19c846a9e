import type { AppContext } from "../../app/use-case.ts";
import { exitCode, type ExitCode } from "../../contract/exit-code.ts";
import type { CommandContext, CommandOutcome } from "../input/command-module.ts";
import { foldLines } from "../render/fold-lines.ts";
import { renderStoryEnd, storyExitCode, type StoryEnd } from "../render/story-end.ts";
import { terminalWidth } from "../terminal/terminal-width.ts";
import { runScreen, type LeaveReason } from "./run-screen.ts";

const leaveCodes: Readonly<Record<LeaveReason, ExitCode>> = {
  quit: exitCode.completed,
  interrupt: exitCode.interrupted,
  terminate: exitCode.terminated,
};

/**
 * Lets a use case follow a story while a person looks at it on the whole screen. The story may end first, and the
 * screen stays until the person leaves it; or they leave, and the story continues.
 */
export async function followOnScreen<Answer extends StoryEnd & Readonly<Record<string, unknown>>>(
  context: CommandContext,
  run: (context: AppContext) => Promise<Answer>,
): Promise<CommandOutcome> {
  const leaving = new AbortController();
  let screen: Promise<LeaveReason> | undefined;
  const followStory: AppContext["followStory"] = (story) => {
    screen = runScreen(context, story).finally(() => leaving.abort());
    // Its failure is reported when it is awaited below.
    screen.catch(() => undefined);
    return Promise.resolve({
      event: () => undefined,
      output: () => undefined,
      stop: new AbortController().signal,
      leave: leaving.signal,
      close: () => undefined,
    });
  };
  const json = await run({ ...context, followStory, canAnswer: () => true });
  const reason = (await screen) ?? "quit";
  const hasEnded = json.outcome !== null && json.outcome !== undefined;
  return {
    exitCode: hasEnded || screen === undefined ? storyExitCode(json) : leaveCodes[reason],
    json,
    text: foldLines(renderStoryEnd(json), terminalWidth(context.environment)),
  };
}
