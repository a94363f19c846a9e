import { join } from "node:path";
import { DelegationError } from "../../base/delegation-error.ts";
import { readRegularText } from "../../base/files.ts";
import { readCommitTree } from "../git/create-tree-commit.ts";
import { findCheckout, listLinkedWorktrees } from "../git/find-checkout.ts";
import { readCheckoutHead, readRefCommit } from "../git/read-head.ts";
import type { Repository, ProjectContext } from "../git/repository.ts";
import { type MergedTips, mergeTips, type TipsToMerge } from "../merge/merge-tips.ts";
import type { MergeNote } from "../merge/run-merge-tree.ts";
import { type CheckoutTrees, getCheckoutTrees, readTouchedCheckout } from "./checkout-trees.ts";
import { inspectCheckout } from "./inspect-checkout.ts";
import { type EditsQuestion, mergeOwnEdits } from "./merge-edits.ts";
import { type MergeRefusal, refuseMerge } from "./refusal.ts";
import { findReplayBase } from "./replay-base.ts";

export type MergeWay = "fast-forward" | "merge-commit" | "squash";

export interface MergeRequest {
  readonly story: string;
  /** The commit to merge: the tip of the story's branch. */
  readonly tip: string;
  /** `refs/heads/…`; the current branch if absent. */
  readonly branch?: string;
  /** If absent, a fast-forward if possible, else a merge commit. */
  readonly way?: "merge-commit" | "squash";
}

/** A branch of the user's, its commit, and whether its files move with it. */
export interface Target {
  readonly branch: string;
  readonly from: string;
  readonly isCheckedOut: boolean;
}

export type MergePlan =
  | (Target & {
      readonly status: "ready";
      readonly way: MergeWay;
      readonly tip: string;
      readonly tree: string;
      /** Set if the user has uncommitted edits in the same files; they stay uncommitted. */
      readonly edits?: CheckoutTrees | undefined;
    })
  | (Target & { readonly status: "already-merged" })
  | (Target & {
      readonly status: "conflict";
      readonly files: readonly string[];
      readonly notes: readonly MergeNote[];
      readonly replayBase: string | undefined;
    })
  | MergeRefusal;

/** Plans a merge. Read-only, except that objects of the merged tree may be written. */
export async function planUserMerge(context: ProjectContext, request: MergeRequest): Promise<MergePlan> {
  const { repository } = context;
  const target = await findMergeTarget(repository, request.branch);
  if ("status" in target) return target;
  const { from } = target;
  const { story, tip } = request;
  const replayBase = await findReplayBase(repository, { story, branch: target.branch, from, tip });
  const merged = await tryMergeTips(context, { ours: from, theirs: tip, mergeBase: replayBase });
  if (merged === "unrelated") return refuseUnrelated(target.branch, story);
  if (merged.status === "conflict") {
    const { files, notes } = merged;
    return { ...target, status: "conflict", files, notes, replayBase };
  }
  const before = await readCommitTree(repository, from);
  // After a squash, only the files show that everything is merged; history does not.
  const isThere = merged.isContained || (merged.tree === before && !merged.isFastForward);
  if (isThere) return { ...target, status: "already-merged" };
  const edits = target.isCheckedOut ? await planEdits(context, { from, tree: merged.tree }) : undefined;
  if (edits !== undefined && "status" in edits) return edits;
  const usual = request.way ?? (merged.isFastForward ? "fast-forward" : "merge-commit");
  // A second parent would bring commits from before the base into the user's history.
  const way = replayBase === undefined ? usual : "squash";
  return { ...target, status: "ready", way, tip, tree: merged.tree, edits };
}

/** Finds the branch to move, or the reason why it cannot be moved from here. */
export async function findMergeTarget(
  repository: Repository,
  wanted: string | undefined,
): Promise<MergeRefusal | Target> {
  const head = await readCheckoutHead(repository, repository.gitDirectory);
  const branch = wanted ?? head.ref;
  if (branch === undefined) return refuseDetached();
  const isCheckedOut = branch === head.ref;
  const from = isCheckedOut ? head.commit : await readRefCommit(repository, branch);
  if (from === undefined) return isCheckedOut ? refuseUnborn(branch) : refuseMissing(branch);
  const elsewhere = isCheckedOut ? undefined : findBranchHolder(repository, branch);
  return elsewhere === undefined ? { branch, from, isCheckedOut } : refuseHeldBranch(branch, elsewhere);
}

async function tryMergeTips(context: ProjectContext, tips: TipsToMerge): Promise<MergedTips | "unrelated"> {
  try {
    return await mergeTips(context, tips);
  } catch (error) {
    if (error instanceof DelegationError && error.code === "UNRELATED_HISTORIES") return "unrelated";
    throw error;
  }
}

/** Finds out whether the checkout can move, and how, if the user has edits in the files that change. */
async function planEdits(
  context: ProjectContext,
  question: EditsQuestion,
): Promise<CheckoutTrees | MergeRefusal | undefined> {
  const { from, tree } = question;
  const trees = getCheckoutTrees({ from, to: tree });
  const touched = await readTouchedCheckout(context.repository, trees);
  const refusal = await inspectCheckout(context, { from, trees, touched });
  return refusal?.kind === "files-in-the-way" ? mergeOwnEdits(context, { ...question, refusal }) : refusal;
}

/** Finds another checkout that has the branch checked out or is rebasing it. */
function findBranchHolder(repository: Repository, branch: string): string | undefined {
  const standing = findCheckout(repository, branch);
  if (standing !== undefined) return standing;
  const { commonDirectory } = repository;
  const linked = listLinkedWorktrees(repository).map(({ name }) => join(commonDirectory, "worktrees", name));
  return [commonDirectory, ...linked].find((folder) =>
    ["rebase-merge", "rebase-apply"].some(
      (name) => readRegularText(join(folder, name, "head-name"))?.trim() === branch,
    ),
  );
}

function refuseDetached(): MergeRefusal {
  return refuseMerge("detached-head", {
    message: "No branch is checked out here",
    recommendation:
      "Check one out (git switch <branch>), or name the branch to merge into with --into <branch>.",
  });
}

function refuseUnborn(branch: string): MergeRefusal {
  return refuseMerge("unborn-branch", {
    message: `${branch} has no commit yet`,
    recommendation: "Check out the branch the story started from.",
  });
}

function refuseMissing(branch: string): MergeRefusal {
  return refuseMerge("branch-missing", {
    message: `The branch ${branch} does not exist`,
    recommendation: "`git branch` lists the existing branches.",
  });
}

function refuseHeldBranch(branch: string, path: string): MergeRefusal {
  return refuseMerge("branch-checked-out", {
    message: `${branch} is checked out or being rebased in ${path}`,
    recommendation: "Run the command there.",
  });
}

function refuseUnrelated(branch: string, story: string): MergeRefusal {
  return refuseMerge("unrelated-histories", {
    message: `${branch} and the work of ${story} have no commit in common`,
    recommendation: "Name the branch the story started from.",
  });
}
