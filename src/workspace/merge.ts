import { DelegationError } from "../base/delegation-error.ts";
import { isAncestor } from "./git/ancestry.ts";
import { findCheckout } from "./git/find-checkout.ts";
import { readRefCommit } from "./git/read-head.ts";
import { absent } from "./git/ref-change.ts";
import { changeRefs } from "./git/refs.ts";
import type { Repository, ProjectContext } from "./git/repository.ts";

export { createCommitObject as commitCandidate } from "./merge/create-commit-object.ts";
export { type MergedTips, mergeTips } from "./merge/merge-tips.ts";
export type { MergeNote } from "./merge/run-merge-tree.ts";

/** The user's repository, and the folder in which single git calls may make temporary folders. */
export type MergeContext = ProjectContext;

export interface BranchMove {
  readonly ref: string;
  /** The required current value; null if the ref must not exist. */
  readonly from: string | null;
  readonly to: string;
}

/**
 * `raced`: the branch was moved by another process. `held-elsewhere`: it is checked out, and moving it would leave
 * those files behind.
 */
export type BranchMoved = "moved" | "already" | "raced" | "held-elsewhere";

/** Moves one of our branches by compare-and-swap. Repeating the call after a crash returns `already`. */
export async function moveBranch(repository: Repository, move: BranchMove): Promise<BranchMoved> {
  const { ref, from, to } = move;
  const now = await readRefCommit(repository, ref);
  if (now === to) return "already";
  if (now !== (from ?? undefined)) return "raced";
  if (findCheckout(repository, ref) !== undefined) return "held-elsewhere";
  try {
    await changeRefs(repository, [{ ref, to, from: from ?? absent }]);
    return "moved";
  } catch (error) {
    const isRefusal = error instanceof DelegationError && error.code === "REF_CHANGE_REFUSED";
    const after = await readRefCommit(repository, ref);
    if (!isRefusal || after === now) throw error;
    return after === to ? "already" : "raced";
  }
}

export interface MergeQuestion {
  readonly tip: string;
  readonly into: string;
}

/** Whether a commit contains the whole history of another one. */
export function isMerged(repository: Repository, { tip, into }: MergeQuestion): Promise<boolean> {
  return isAncestor(repository, tip, into);
}
