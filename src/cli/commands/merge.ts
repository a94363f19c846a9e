import type { Command } from "commander";
import { usageError } from "../../errors/usage.ts";
import { safeText } from "../../base/safe-text.ts";
import { exitCode } from "../../contract/exit-code.ts";
import type { Unmerged } from "../../app/merge.ts";
import type { MergePlan } from "../../app/preview-merge.ts";
import { isAgreed } from "../input/ask-person.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { nothingYet } from "../render/nothing-yet.ts";
import { paint, type Paint } from "../terminal/paint.ts";
import { terminalWidth } from "../terminal/terminal-width.ts";
import { renderVerdict } from "../render/verdict.ts";
import { renderStat } from "../render/diff.ts";

const wayTexts = {
  "fast-forward": "fast-forward: the branch only moves forward",
  "merge-commit": "a merge commit: the branch has moved on since, and both together were not checked",
  squash: "one new commit; the story's own commits stay on its branch",
} as const;
const MAX_NAMED_FILES = 5;

export function register(command: Command, act: Act): void {
  command
    .description(
      "Merge a story's proven work into your branch. Shows a preview; can be undone. Exit 7 on conflict.",
    )
    .usage("[id] [options]")
    .argument("[id]", "an id or its beginning; by default the newest story")
    .option("--into <branch>", "merge into this branch instead of the one checked out")
    .option("--squash", "merge as one commit")
    .option("--sign", "merge as one commit that your git signs with your key")
    .option("--dry-run", "only say what would happen")
    .option("--partial", "merge even if the story is not completed")
    .option("--undo", "undo its newest merge")
    .action(
      act((context, invocation) =>
        invocation.flag("undo") ? undoMerge(context, invocation) : mergeStory(context, invocation),
      ),
    )
    .addHelpText("after", "\nExample:\n  ambit merge S-4k2m9x --dry-run");
}

async function mergeStory(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { previewMergeUseCase } = await import("../../app/preview-merge.ts");
  const options = {
    into: invocation.option("into"),
    squash: invocation.flag("squash"),
    sign: invocation.flag("sign"),
    partial: invocation.flag("partial"),
  };
  const dryRun = invocation.flag("dryRun");
  const plan = await previewMergeUseCase.run(context, { id: invocation.argument("id"), ...options });
  if (plan.status !== "ready" && plan.status !== "unfinished") return renderUnmerged(plan);
  const text = renderPlan(plan, {
    ascii: context.ascii,
    width: terminalWidth(context.environment),
    paint: paint(context.color(dryRun ? "stdout" : "stderr")),
  });
  if (dryRun) {
    const nothing = plan.status === "ready" ? "\nNothing was changed." : "";
    return { exitCode: exitCode.completed, json: plan, text: `${text}${nothing}` };
  }
  if (!context.quiet) context.show(text);
  if (!(await isAgreed(context, "Merge it?"))) return declined(plan.story);
  const { mergeUseCase } = await import("../../app/merge.ts");
  const json = await mergeUseCase.run(context, { id: plan.story, tip: plan.tip, ...options });
  if (json.status !== "merged") return renderUnmerged(json);
  const { story, branch, way, from, to, undo } = json;
  const message = `${story} is in ${branch} (${way}): from ${from.slice(0, 12)} to ${to.slice(0, 12)}`;
  const line = renderVerdict({ ok: true, message }, context);
  return { exitCode: exitCode.completed, json, text: `${line}\n  undo  ${undo}` };
}

async function undoMerge(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const others = ["squash", "sign", "dryRun", "partial"] as const;
  if (invocation.option("into") !== undefined || others.some((name) => invocation.flag(name)))
    throw usageError("--undo takes the newest merge back as it was made", "Use it alone.");
  const { previewUndoUseCase, undoMergeUseCase } = await import("../../app/undo-merge.ts");
  const { story } = await previewUndoUseCase.run(context, { id: invocation.argument("id") });
  if (story === null) return { exitCode: exitCode.completed, json: { story }, text: nothingYet };
  if (!(await isAgreed(context, `Take the newest merge of ${story} back?`))) return declined(story);
  const json = await undoMergeUseCase.run(context, { id: story });
  const { branch, from = "", to = "" } = json;
  const message = `${branch} is back to its state before ${story}: from ${from.slice(0, 12)} to ${to.slice(0, 12)}`;
  const line = renderVerdict({ ok: true, message }, context);
  return { exitCode: exitCode.completed, json, text: `${line}\n  again  ambit merge ${story}` };
}

type Conflict = Extract<Unmerged, { status: "conflict" }>;

/** Nothing to merge is a success; a conflict has an exit status of its own. */
function renderUnmerged(json: Unmerged): CommandOutcome {
  if (json.status === "conflict")
    return { exitCode: exitCode.conflict, json: { ...json }, text: renderConflict(json) };
  return { exitCode: exitCode.completed, json: { ...json }, text: renderNothing(json) };
}

function renderNothing(json: Exclude<Unmerged, Conflict>): string {
  if (json.status === "no-story") return nothingYet;
  const { story, branch } = json;
  const reason = branch === null ? `${story} changed nothing.` : `${branch} has all of ${story} already.`;
  return `${reason} There is nothing to merge.`;
}

function renderConflict({ code, story, branch, tip, files, replay_base: base }: Conflict): string {
  // `git merge` would also commit the uncommitted work that the story started from.
  const resolution =
    base === null
      ? `git merge ambit/${story}    (resolve them by hand)`
      : `Commit your own changes to these files and merge again, or apply the story's changes by hand: git diff --binary ${base.slice(0, 12)} ${tip.slice(0, 12)} | git apply --3way`;
  return [
    `${code}  ${story} conflicts with ${branch} in ${files.length === 1 ? "1 file" : `${files.length} files`}:`,
    ...files.map((file) => `  ${safeText(file)}`),
    "Nothing was changed.",
    `  next  ${resolution}`,
  ].join("\n");
}

/** Not 0, so that `ambit merge && git push` pushes only what was merged. */
function declined(story: string): CommandOutcome {
  const json = { story, merged: false, status: "declined" };
  return { exitCode: exitCode.failed, json, text: "Nothing was changed." };
}

interface PlanStyle {
  readonly ascii: boolean;
  readonly width: number | undefined;
  readonly paint: Paint;
}

function renderEdited(files: readonly string[]): readonly string[] {
  if (files.length === 0) return [];
  const named = files.slice(0, MAX_NAMED_FILES).map(safeText);
  const more = files.length > MAX_NAMED_FILES ? [`${files.length - MAX_NAMED_FILES} more`] : [];
  return [`  yours   your uncommitted changes stay, uncommitted, in ${[...named, ...more].join(", ")}`];
}

/** A preview of the merge. */
function renderPlan(plan: MergePlan, style: PlanStyle): string {
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
    `  how     ${wayTexts[plan.way]}`,
    ...renderEdited(plan.edited),
    ...unproven,
    "",
    renderStat(plan, style),
  ].join("\n");
}
