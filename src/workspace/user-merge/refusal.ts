import { countFiles } from "../../base/count-things.ts";

/** The reason why the user's branch is not changed. */
export type MergeRefusalKind =
  | "branch-checked-out"
  | "branch-missing"
  | "branch-moved"
  | "detached-head"
  | "files-behind-filters"
  | "files-in-the-way"
  | "folders-locked"
  | "index-locked"
  | "interrupted"
  | "nothing-to-undo"
  | "operation-in-progress"
  | "ref-locked"
  | "sparse-checkout"
  | "unborn-branch"
  | "unrelated-histories"
  | "unsafe-names";

export interface MergeRefusal {
  readonly status: "refused";
  readonly code: "MERGE_REFUSED";
  readonly kind: MergeRefusalKind;
  readonly message: string;
  readonly recommendation: string;
  /** The files concerned, if any. */
  readonly files: readonly string[];
}

/** A placeholder for the story's branch in a recommendation: the caller knows the story. */
export const STORY_BRANCH = "<story branch>";

export interface RefusalText {
  readonly message: string;
  readonly recommendation: string;
  readonly files?: readonly string[];
}

export function refuseMerge(
  kind: MergeRefusalKind,
  { message, recommendation, files }: RefusalText,
): MergeRefusal {
  return { status: "refused", code: "MERGE_REFUSED", kind, message, recommendation, files: files ?? [] };
}

export function refuseOverwriting(files: readonly string[]): MergeRefusal {
  return refuseMerge("files-in-the-way", {
    message: `It would overwrite ${countFiles(files.length)} of yours`,
    recommendation: "Commit or move them away, then try again. Nothing was changed.",
    files: files.toSorted(),
  });
}
