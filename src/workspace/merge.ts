import { DelegationError } from "../base/delegation-error.ts";
import { isAncestor } from "./git/ancestry.ts";
import { readTreeOf } from "./git/commit-tree.ts";
import { findCheckout } from "./git/find-checkout.ts";
import { readRef } from "./git/read-head.ts";
import { absent } from "./git/ref-change.ts";
import { changeRefs } from "./git/refs.ts";
import { readAttributes } from "./merge/attributes.ts";
import { makeCommit } from "./merge/make-commit.ts";
import { readMergeBases } from "./merge/merge-bases.ts";
import { conflictOf, type MergeNote, type MergeTreeResult, runMergeTree } from "./merge/run-merge-tree.ts";
import type { Repository } from "./repository.ts";
import type { SlotContext } from "./slots/check-out.ts";

export type { MergeNote } from "./merge/run-merge-tree.ts";

/** The user's repository, and where scratch folders of single git calls may be made. */
export type MergeContext = SlotContext;

export interface TipsToMerge {
  readonly ours: string;
  readonly theirs: string;
  /** Counts instead of what history says. */
  readonly mergeBase?: string | undefined;
}

export type MergedTips =
  | {
      readonly status: "clean";
      readonly tree: string;
      /** `ours` is an ancestor of `theirs`: no merge commit is needed. */
      readonly isFastForward: boolean;
      /** `theirs` is an ancestor of `ours`: there is nothing to do. */
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
 * What merging two commits gives, as a tree. Nothing but objects is written; no checkout, index or ref is looked at.
 * Throws `UNRELATED_HISTORIES` where the two have no commit in common.
 */
export async function mergeTips(context: MergeContext, tips: TipsToMerge): Promise<MergedTips> {
  const { repository } = context;
  const { ours, theirs, mergeBase } = tips;
  if (mergeBase !== undefined) return describe(await mergeFrom(context, { ours, theirs, mergeBase }));
  const [bases, attributes] = await Promise.all([
    readMergeBases(repository, ours, theirs),
    readAttributes(repository, ours),
  ]);
  if (bases.length === 0) throw unrelated(tips);
  const isContained = bases.includes(theirs);
  const isFastForward = bases.includes(ours) && !isContained;
  if (!isFastForward && !isContained)
    return describe(await runMergeTree(context, { ours, theirs, attributes }));
  const tree = await readTreeOf(repository, isContained ? ours : theirs);
  return { status: "clean", tree, isFastForward, isContained };
}

export interface CandidateCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  /** Seconds since 1970: the same inputs give the same commit, before and after a crash. */
  readonly timeSeconds: number;
}

/** A commit by Ambit, on no branch. Making the same one again gives the same id and changes nothing. */
export function commitCandidate(repository: Repository, commit: CandidateCommit): Promise<string> {
  return makeCommit(repository, commit);
}

export interface BranchMove {
  readonly ref: string;
  /** What it must be now; null where it must not exist. */
  readonly from: string | null;
  readonly to: string;
}

/** `raced`: it is no longer what it was. `held-elsewhere`: it is checked out, and moving it would leave those files behind. */
export type BranchMoved = "moved" | "already" | "raced" | "held-elsewhere";

/** Moves a branch of ours by compare-and-swap. Calling it again after a crash answers `already`. */
export async function moveBranch(repository: Repository, move: BranchMove): Promise<BranchMoved> {
  const { ref, from, to } = move;
  const now = await readRef(repository, ref);
  if (now === to) return "already";
  if (now !== (from ?? undefined)) return "raced";
  if (findCheckout(repository, ref) !== undefined) return "held-elsewhere";
  try {
    await changeRefs(repository, [{ ref, to, from: from ?? absent }]);
    return "moved";
  } catch (error) {
    const isRefusal = error instanceof DelegationError && error.code === "REF_CHANGE_REFUSED";
    const after = await readRef(repository, ref);
    if (!isRefusal || after === now) throw error;
    return after === to ? "already" : "raced";
  }
}

export interface MergeQuestion {
  readonly tip: string;
  readonly into: string;
}

/** Whether a commit holds all of another one's history. */
export function isMerged(repository: Repository, { tip, into }: MergeQuestion): Promise<boolean> {
  return isAncestor(repository, tip, into);
}

/** Git before 2.40 takes the base from history only, so each side becomes a commit on top of it. */
async function mergeFrom(
  context: MergeContext,
  tips: TipsToMerge & { readonly mergeBase: string },
): Promise<MergeTreeResult> {
  const { repository } = context;
  const onBase = async (commit: string): Promise<string> =>
    makeCommit(repository, {
      tree: await readTreeOf(repository, commit),
      parents: [tips.mergeBase],
      message: "",
      timeSeconds: 0,
    });
  const [ours, theirs] = await Promise.all([onBase(tips.ours), onBase(tips.theirs)]);
  return runMergeTree(context, { ours, theirs });
}

function describe(result: MergeTreeResult): MergedTips {
  if (!result.isClean) return { status: "conflict", tree: result.tree, ...conflictOf(result) };
  return { status: "clean", tree: result.tree, isFastForward: false, isContained: false };
}

function unrelated({ ours, theirs }: TipsToMerge): DelegationError {
  return new DelegationError({
    code: "UNRELATED_HISTORIES",
    message: `${ours} and ${theirs} have no commit in common`,
    recommendation: "The branch was rewritten since the work began; start the story again from it.",
  });
}
