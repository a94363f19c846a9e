import { safeText } from "../../base/safe-text.ts";
import { describeChangedFile } from "../../app/changed-files.ts";
import type { MergePreview } from "../../workspace/user-merge.ts";
import { renderStat } from "./diff.ts";
import type { Paint } from "./paint.ts";

export interface PlannedWork {
  readonly story: string;
  readonly title: string;
  readonly source: string;
  readonly unproven: readonly string[];
}

export interface PlanStyle {
  readonly ascii: boolean;
  readonly width: number | undefined;
  readonly paint: Paint;
}

const ways = {
  "fast-forward": "fast-forward: the branch only moves on",
  "merge-commit": "a merge commit: the branch has moved on since, and both together were not checked",
  squash: "one new commit; the story's own commits stay on its branch",
} as const;

/** What merging would do, before anything is done. */
export function renderPlan(work: PlannedWork, preview: MergePreview, style: PlanStyle): string {
  const headline = style.paint.bold(`${safeText(work.story)}: ${safeText(work.title)}`);
  const unproven = work.unproven.map((line) => `  unproven  ${safeText(line)}`);
  if (preview.status === "unfinished")
    return [
      headline,
      `  first   the merge of ${preview.story} that was interrupted is completed`,
      ...unproven,
    ].join("\n");
  if (preview.status !== "ready") return [headline, ...unproven].join("\n");
  const { branch, from, way, isCheckedOut, diff } = preview;
  const name = branch.replace(/^refs\/heads\//, "");
  return [
    headline,
    `  from    ${work.source}`,
    `  into    ${safeText(name)} at ${from.slice(0, 12)}${isCheckedOut ? ", with the files here" : ""}`,
    `  how     ${ways[way]}`,
    ...unproven,
    "",
    renderStat({ ...diff, files: diff.files.map(describeChangedFile) }, style),
  ].join("\n");
}
