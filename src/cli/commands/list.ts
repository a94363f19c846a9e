import type { Command } from "commander";
import type { StoryListAnswer } from "../../app/list-stories.ts";
import { systemClock } from "../../base/clock.ts";
import { exitCode } from "../../contract/exit-code.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { optionalWholeNumber } from "../input/option-values.ts";
import { renderStoryList } from "../render/story-list.ts";
import { terminalWidth } from "../terminal/terminal-width.ts";

const DEFAULT_LIMIT = 20;

export function register(command: Command, act: Act): void {
  command
    .description("List the stories of this project: what needs you, runs, or is merged. Needs no supervisor.")
    .option("-n, --limit <count>", `show at most this many ended stories (default: ${DEFAULT_LIMIT})`)
    .option("--open", "only stories that have not ended")
    .action(act(listStories))
    .addHelpText("after", "\nExample:\n  ambit list --open");
}

export async function listStories(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { listStoriesUseCase } = await import("../../app/list-stories.ts");
  const limit = optionalWholeNumber(invocation, "limit") ?? DEFAULT_LIMIT;
  const json = await listStoriesUseCase.run(context, { limit, onlyOpen: invocation.flag("open") });
  return { exitCode: exitCode.completed, json, text: renderStories(context, json) };
}

export function renderStories({ environment, ascii }: CommandContext, answer: StoryListAnswer): string {
  const style = { width: terminalWidth(environment), nowMs: systemClock.wallMs(), ascii };
  return renderStoryList(answer, style);
}
