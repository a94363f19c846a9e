import { readdirSync } from "node:fs";
import { join } from "node:path";
import { changeRefs } from "./git/refs.ts";
import { branchRefOf, foldersOf } from "./names.ts";
import { hasCode } from "./files/has-code.ts";
import { removeTree } from "./files/remove-tree.ts";
import { isThere } from "./files/safe-path.ts";
import { listMounts } from "./prepare/overlay.ts";
import type { Repository } from "./repository.ts";
import { retireSlot } from "./slots/prepare-slot.ts";
import { proveRelease, type ReleaseRefusal, type ReleaseRequest } from "./slots/prove-release.ts";
import { slotOptions, type WorkspaceSettings } from "./worktree.ts";

export type { ReleaseRefusal } from "./slots/prove-release.ts";

export interface RemoveRequest extends ReleaseRequest {
  /** Keep `delegation/<id>`; its commits are kept under `refs/ambit` in any case. */
  readonly keepBranch?: boolean;
}

export interface Released {
  readonly status: "released";
  readonly path: string;
  /** Renamed away, waiting to be deleted by `emptyTrash`. */
  readonly trash: readonly string[];
}

/** Frees a workspace for good. Refuses, with the reason, whatever is not provably ours and safe. */
export async function releaseWorkspace(
  settings: WorkspaceSettings,
  request: RemoveRequest,
): Promise<Released | ReleaseRefusal> {
  const options = slotOptions(settings);
  const proof = await proveRelease(options, request);
  if (proof.status === "refused") return proof;
  if (request.keepBranch !== true) await dropBranch(options.repository, request.id, proof.branchTip);
  const trash = await retireSlot(options, proof.slot.record);
  return { status: "released", path: request.path, trash };
}

/** Deletes the branch only as it was when its commits were found to be kept. */
export async function dropBranch(repository: Repository, id: string, tip: string | undefined): Promise<void> {
  if (tip !== undefined) await changeRefs(repository, [{ ref: branchRefOf(id), to: undefined, from: tip }]);
}

/**
 * Deletes what was renamed away, one tree after the other and not all at once: on ext4, new files are slow to make
 * right after many were deleted. Returns how many trees went.
 */
export async function emptyTrash(stateDirectory: string, abort?: AbortSignal): Promise<number> {
  const { trash } = foldersOf(stateDirectory);
  if (!isThere(trash)) return 0;
  let removed = 0;
  for (const name of readdirSync(trash)) {
    if (abort?.aborted === true) return removed;
    const folder = join(trash, name);
    // A layer that could not be unmounted would have its content deleted instead of itself.
    if (listMounts(folder).length === 0 && (await isRemoved(folder, abort))) removed += 1;
  }
  return removed;
}

/** False where a git that outlived its killed caller still writes there; the next time it will have ended. */
async function isRemoved(folder: string, abort: AbortSignal | undefined): Promise<boolean> {
  try {
    await removeTree(folder, abort);
    return true;
  } catch (error) {
    if (hasCode(error, "ENOTEMPTY")) return false;
    throw error;
  }
}
