import type { Command } from "commander";
import type { StoryListAnswer, ListedStory } from "../../app/list-stories.ts";
import { systemClock } from "../../base/clock.ts";
import { exitCode } from "../../contract/exit-code.ts";
import { renderDuration } from "../../base/duration-text.ts";
import { safeText } from "../../base/safe-text.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { optionalWholeNumber } from "../input/option-values.ts";
import { terminalWidth } from "../terminal/terminal-width.ts";
import { cutText, padText, textWidth } from "../terminal/text-width.ts";
import { adviseResume } from "../render/advise-resume.ts";
import { renderUsd } from "../render/amounts.ts";
import { nothingYet } from "../render/nothing-yet.ts";

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
  const onlyOpen = invocation.flag("open");
  const json = await listStoriesUseCase.run(context, { limit, onlyOpen });
  const text = onlyOpen && json.stories.length === 0 ? NONE_OPEN : renderStories(context, json);
  return { exitCode: exitCode.completed, json, text };
}

const NONE_OPEN = "No story is open. The others: ambit list";

export function renderStories({ environment, ascii }: CommandContext, answer: StoryListAnswer): string {
  const style = { width: terminalWidth(environment), nowMs: systemClock.wallMs(), ascii };
  return renderStoryList(answer, style);
}

interface ListStyle {
  readonly ascii: boolean;
  readonly width: number | undefined;
  readonly nowMs: number;
}

/** One line for each story, its title last, because it gives way on a narrow screen. */
function renderStoryList({ stories, has_more }: StoryListAnswer, style: ListStyle): string {
  if (stories.length === 0) return nothingYet;
  const rows = stories.map((story) => renderCells(story, style.nowMs));
  const widths =
    rows[0]?.map((_, column) => Math.max(...rows.map((row) => textWidth(row[column] ?? "")))) ?? [];
  const lines = rows.map((row) => {
    const cells = row.map((cell, column) =>
      column === row.length - 1 ? cell : padText(cell, widths[column] ?? 0, "left"),
    );
    const line = cells.join("  ").trimEnd();
    return style.width === undefined ? line : cutText(line, style.width, style.ascii);
  });
  const standing = stories.find(({ state }) => state === "interrupted");
  const advice = standing === undefined ? [] : [adviseResume(standing.id)];
  return [...lines, ...advice, ...(has_more ? ["There are older ones: ambit list --limit 1000"] : [])].join(
    "\n",
  );
}

function renderCells(story: ListedStory, nowMs: number): readonly string[] {
  const { id, state, merged, cost_usd, started_at, title } = story;
  const age = started_at === null ? "" : `${renderDuration(Math.max(0, nowMs - Date.parse(started_at)))} ago`;
  const place = merged === null ? "" : merged ? "merged" : "not merged";
  return [safeText(id), safeText(state), place, age, renderUsd(cost_usd), safeText(title)];
}
