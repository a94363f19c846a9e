import { renderDuration } from "../../base/duration-text.ts";
import { safeText } from "../../base/safe-text.ts";
import type { ListedStory, StoryListAnswer } from "../../app/list-stories.ts";
import { cutText, padText, textWidth } from "../terminal/text-width.ts";
import { adviseResume } from "./advise-resume.ts";
import { renderUsd } from "./amounts.ts";
import { nothingYet } from "./nothing-yet.ts";

export interface ListStyle {
  readonly ascii: boolean;
  readonly width: number | undefined;
  readonly nowMs: number;
}

/** One line for each story, its title last, because it gives way on a narrow screen. */
export function renderStoryList({ stories, has_more }: StoryListAnswer, style: ListStyle): string {
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
