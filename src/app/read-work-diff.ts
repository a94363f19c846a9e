import { DelegationError } from "../base/delegation-error.ts";
import { diffUseCase } from "./diff.ts";
import type { AppContext } from "./project/app-context.ts";
import type { Diff } from "./view-types.ts";

const MAX_PATCH_BYTES = 1024 * 1024;

export interface WorkQuestion {
  readonly id: string;
  /** Only what this attempt changed, or what changed between two attempts. */
  readonly attempt?: number | undefined;
  readonly compareWith?: number | undefined;
}

/** Reads the changes of one delegation: those that were kept, or its current files while it works. */
export async function readWorkDiff(context: AppContext, { id, ...attempts }: WorkQuestion): Promise<Diff> {
  const question = { id, ...attempts, kind: "patch", against: "base", maxBytes: MAX_PATCH_BYTES } as const;
  try {
    const answer = await diffUseCase.run(context, question);
    return {
      from: answer.from ?? "",
      to: answer.to ?? "",
      files: answer.files.map(({ path, kind, old_path: oldPath, added, removed }) => ({
        path,
        oldPath,
        kind,
        added,
        removed,
      })),
      added: answer.added,
      removed: answer.removed,
      patch: answer.patch ?? "",
      isCut: answer.is_cut,
      isLive: answer.is_live,
      missing: null,
    };
  } catch (error) {
    // Work that has not begun has no changes; that is how it is, and no failure.
    if (!(error instanceof DelegationError) || error.code !== "WORKSPACE_NOT_FOUND") throw error;
    return { ...nothing, missing: error.message };
  }
}

const nothing: Diff = {
  from: "",
  to: "",
  files: [],
  added: 0,
  removed: 0,
  patch: "",
  isCut: false,
  isLive: false,
  missing: null,
};
