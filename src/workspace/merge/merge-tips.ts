import { workspaceErrors } from "../../errors/workspace.ts";
import { readCommitTree } from "../git/create-tree-commit.ts";
import { getRefPlace, type Repository, type ProjectContext } from "../git/repository.ts";
import { runGit } from "../git/run-git.ts";
import { readAttributes } from "./attributes.ts";
import { createCommitObject } from "./create-commit-object.ts";
import { mergeApart } from "./merge-apart.ts";
import { describeConflict, type MergeNote, type MergeTreeResult, runMergeTree } from "./run-merge-tree.ts";

export interface TipsToMerge {
  readonly ours: string;
  readonly theirs: string;
  /** Used instead of the merge base in history. */
  readonly mergeBase?: string | undefined;
}

export type MergedTips =
  | {
      readonly status: "clean";
      readonly tree: string;
      /** `ours` is an ancestor of `theirs`: no merge commit is needed. */
      readonly isFastForward: boolean;
      /** `theirs` is an ancestor of `ours`: there is nothing to merge. */
      readonly isContained: boolean;
    }
  | {
      readonly status: "conflict";
      /** Names that are not UTF-8 are quoted. */
      readonly files: readonly string[];
      readonly notes: readonly MergeNote[];
      /** Both sides, with conflict markers in those files. */
      readonly tree: string;
    };

/**
 * Merges two commits into a tree. Writes only objects, and looks at no checkout, index or ref. Throws
 * `UNRELATED_HISTORIES` if the two have no commit in common.
 */
export async function mergeTips(context: ProjectContext, tips: TipsToMerge): Promise<MergedTips> {
  const { repository } = context;
  const { ours, theirs, mergeBase } = tips;
  if (mergeBase !== undefined)
    return describeMerge(await mergeFromBase(context, { ours, theirs, mergeBase }));
  const apart = await mergeApart(repository, { ours, theirs });
  if (apart !== undefined) return { status: "clean", tree: apart, isFastForward: false, isContained: false };
  const [bases, attributes] = await Promise.all([
    readMergeBases(repository, ours, theirs),
    readAttributes(repository, ours),
  ]);
  if (bases.length === 0) throw workspaceErrors.unrelatedHistories(ours, theirs);
  const isContained = bases.includes(theirs);
  const isFastForward = bases.includes(ours) && !isContained;
  if (!isFastForward && !isContained)
    return describeMerge(await runMergeTree(context, { ours, theirs, attributes }));
  const tree = await readCommitTree(repository, isContained ? ours : theirs);
  return { status: "clean", tree, isFastForward, isContained };
}

/** Git before 2.40 takes the base only from history, so each side becomes a commit on top of it. */
async function mergeFromBase(
  context: ProjectContext,
  tips: TipsToMerge & { readonly mergeBase: string },
): Promise<MergeTreeResult> {
  const { repository } = context;
  const commitOnBase = async (commit: string): Promise<string> =>
    createCommitObject(repository, {
      tree: await readCommitTree(repository, commit),
      parents: [tips.mergeBase],
      message: "",
      timeSeconds: 0,
    });
  const [ours, theirs] = await Promise.all([commitOnBase(tips.ours), commitOnBase(tips.theirs)]);
  return runMergeTree(context, { ours, theirs });
}

function describeMerge(result: MergeTreeResult): MergedTips {
  if (!result.isClean) return { status: "conflict", tree: result.tree, ...describeConflict(result) };
  return { status: "clean", tree: result.tree, isFastForward: false, isContained: false };
}

/** Returns the best common ancestors of two commits; none if their histories are unrelated. */
async function readMergeBases(
  repository: Repository,
  left: string,
  right: string,
): Promise<readonly string[]> {
  const { stdout } = await runGit({
    place: getRefPlace(repository),
    arguments: ["merge-base", "--all", left, right],
    accept: [1],
  });
  return stdout
    .toString("latin1")
    .split("\n")
    .filter((line) => line !== "");
}
