import { DelegationError } from "../../../base/delegation-error.ts";
import { safeText } from "../../../base/safe-text.ts";
import { exitCode } from "../../../contract/exit-code.ts";
import type { MergeApplied, MergePreview, MergeRefusal, MergeUndone } from "../../../workspace/user-merge.ts";
import type { CommandContext, CommandOutcome } from "../../command-module.ts";
import { renderVerdict } from "../../render/verdict.ts";
import { describeChangedFile } from "../../../app/changed-files.ts";
import type { Mergeable } from "./mergeable.ts";

/** `main` of `refs/heads/main` */
export function shortBranch(ref: string): string {
  return ref.startsWith("refs/heads/") ? ref.slice("refs/heads/".length) : ref;
}

export function planOutcome(mergeable: Mergeable, preview: MergePreview, plan: string): CommandOutcome {
  const { story, tip, source, unproven } = mergeable;
  const common = { story, source, tip, unproven, merged: false, dry_run: true, status: preview.status };
  if (preview.status !== "ready") return { exitCode: exitCode.completed, json: common, text: plan };
  const { way, branch, from, isCheckedOut, diff } = preview;
  return {
    exitCode: exitCode.completed,
    json: {
      ...common,
      way,
      branch: shortBranch(branch),
      from,
      is_checked_out: isCheckedOut,
      files: diff.files.map(describeChangedFile),
      added: diff.added,
      removed: diff.removed,
    },
    text: `${plan}\nNothing was changed.`,
  };
}

export function mergedOutcome(
  context: CommandContext,
  story: string,
  { way, branch, from, to }: Extract<MergeApplied, { readonly status: "merged" }>,
): CommandOutcome {
  const undo = `ambit merge ${story} --undo`;
  const name = shortBranch(branch);
  const message = `${story} is in ${name} (${way}): from ${from.slice(0, 12)} to ${to.slice(0, 12)}`;
  return {
    exitCode: exitCode.completed,
    json: { story, merged: true, status: "merged", way, branch: name, from, to, undo },
    text: `${renderVerdict({ ok: true, message }, context)}\n  undo  ${undo}`,
  };
}

export function undoneOutcome(
  context: CommandContext,
  story: string,
  { branch, from, to }: Extract<MergeUndone, { readonly status: "undone" }>,
): CommandOutcome {
  const name = shortBranch(branch);
  const message = `${name} is what it was before ${story}: from ${from.slice(0, 12)} to ${to.slice(0, 12)}`;
  return {
    exitCode: exitCode.completed,
    json: { story, merged: false, status: "undone", branch: name, from, to },
    text: `${renderVerdict({ ok: true, message }, context)}\n  again  ambit merge ${story}`,
  };
}

export function conflictOutcome(
  { story, tip }: Pick<Mergeable, "story" | "tip">,
  { branch, files, notes, replayBase }: Extract<MergePreview, { readonly status: "conflict" }>,
): CommandOutcome {
  const name = shortBranch(branch);
  const code = "MERGE_CONFLICT";
  // `git merge` would also commit the uncommitted work that the story started from.
  const resolution =
    replayBase === undefined
      ? `git merge ambit/${story}    (resolve them by hand)`
      : `Commit your own changes to these files and merge again, or apply the story's changes by hand: git diff --binary ${replayBase.slice(0, 12)} ${tip.slice(0, 12)} | git apply --3way`;
  const lines = [
    `${code}  ${story} contradicts ${name} in ${files.length === 1 ? "1 file" : `${files.length} files`}:`,
    ...files.map((file) => `  ${safeText(file)}`),
    "Nothing was changed.",
    `  next  ${resolution}`,
  ];
  return {
    exitCode: exitCode.conflict,
    json: { story, merged: false, status: "conflict", code, branch: name, files, notes },
    text: lines.join("\n"),
  };
}

/** Nothing to do is no failure. */
export function sameOutcome(story: string, message: string): CommandOutcome {
  return {
    exitCode: exitCode.completed,
    json: { story, merged: false, status: "already-merged" },
    text: `${message} There is nothing to merge.`,
  };
}

/** Not 0, so that `ambit merge && git push` pushes only what was merged. */
export function declinedOutcome(story: string): CommandOutcome {
  return {
    exitCode: exitCode.failed,
    json: { story, merged: false, status: "declined" },
    text: "Nothing was changed.",
  };
}

export function refusedMerge({ code, message, recommendation, files }: MergeRefusal): DelegationError {
  const list = files.map((file) => `\n${file}`).join("");
  return new DelegationError({ code, message: `${message}${list}`, recommendation, recoverable: true });
}
