import type { MergePlan } from "../../app/preview-merge.ts";
import { safeText } from "../../base/safe-text.ts";
import { renderStat } from "./diff.ts";
import type { Paint } from "../terminal/paint.ts";

export interface PlanStyle {
  readonly ascii: boolean;
  readonly width: number | undefined;
  readonly paint: Paint;
}

const ways = {
  "fast-forward": "fast-forward: the branch only moves forward",
  "merge-commit": "a merge commit: the branch has moved on since, and both together were not checked",
  squash: "one new commit; the story's own commits stay on its branch",
} as const;

const MAX_NAMED = 5;

function renderEdited(files: readonly string[]): readonly string[] {
  if (files.length === 0) return [];
  const named = files.slice(0, MAX_NAMED).map(safeText);
  const more = files.length > MAX_NAMED ? [`${files.length - MAX_NAMED} more`] : [];
  return [`  yours   your uncommitted changes stay, uncommitted, in ${[...named, ...more].join(", ")}`];
}

/** A preview of the merge. */
export function renderPlan(plan: MergePlan, style: PlanStyle): string {
  const headline = style.paint.bold(`${safeText(plan.story)}: ${safeText(plan.title)}`);
  const unproven = plan.unproven.map((line) => `  unproven  ${safeText(line)}`);
  if (plan.status === "unfinished") {
    const first = `  first   the merge of ${plan.interrupted} that was interrupted is completed`;
    return [headline, first, ...unproven].join("\n");
  }
  return [
    headline,
    `  from    ${plan.source}`,
    `  into    ${safeText(plan.branch)} at ${plan.from.slice(0, 12)}${plan.is_checked_out ? " and this checkout" : ""}`,
    `  how     ${ways[plan.way]}`,
    ...renderEdited(plan.edited),
    ...unproven,
    "",
    renderStat(plan, style),
  ].join("\n");
}
