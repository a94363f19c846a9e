import { tryExclusiveLock } from "../base/exclusive-lock.ts";
import { pathExists } from "../base/files.ts";
import { removeIdleTrees } from "../project/trees-directory.ts";
import { getStateFolders } from "./files/state-folders.ts";
import { workerBranchRef } from "./git/ref-names.ts";
import { changeRefs } from "./git/refs.ts";
import type { Repository } from "./git/repository.ts";
import { retireSlot } from "./slots/prepare-slot.ts";
import { proveRelease, type ReleaseRefusal, type ReleaseRequest } from "./slots/prove-release.ts";
import { buildSlotOptions, type WorkspaceSettings } from "./worktree.ts";

export { emptyTrash, listTrash } from "./prepare/empty-trash.ts";
export { listUnusedTemplates, removeUnusedTemplates } from "./prepare/prune-templates.ts";
export type { ReleaseRefusal } from "./slots/prove-release.ts";

export interface RemoveRequest extends ReleaseRequest {
  /** Keeps `delegation/<id>`; its commits are kept under `refs/ambit` in any case. */
  readonly keepBranch?: boolean;
}

export interface Released {
  readonly status: "released";
  readonly path: string;
  /** Paths that were moved to the trash, to be deleted by `emptyTrash`. */
  readonly trash: readonly string[];
}

/** Frees a workspace permanently. Refuses, with the reason, a path that is not provably ours and safe to remove. */
export async function releaseWorkspace(
  settings: WorkspaceSettings,
  request: RemoveRequest,
): Promise<Released | ReleaseRefusal> {
  const options = buildSlotOptions(settings);
  const proof = await proveRelease(options, request);
  if (proof.status === "refused") return proof;
  if (request.keepBranch !== true) await deleteWorkerBranch(options.repository, request.id, proof.branchTip);
  const trash = await retireSlot(options, proof.slot.record);
  return { status: "released", path: request.path, trash };
}

/** Deletes the branch only if it still points to the commits that were found to be kept. */
export async function deleteWorkerBranch(
  repository: Repository,
  id: string,
  tip: string | undefined,
): Promise<void> {
  if (tip !== undefined)
    await changeRefs(repository, [{ ref: workerBranchRef(id), to: undefined, from: tip }]);
}

/** Removes the folders around the workspaces if there are none. Another process that makes one right now keeps them. */
export function dropEmptyTrees(stateDirectory: string): void {
  // A lock would bring back the folder of a project that was moved or deleted.
  if (!pathExists(stateDirectory)) return;
  const lock = tryExclusiveLock(getStateFolders(stateDirectory).lock);
  if (lock === undefined) return;
  try {
    removeIdleTrees(stateDirectory);
  } finally {
    lock.release();
  }
}
