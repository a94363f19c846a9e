import { readdirSync } from "node:fs";
import { join } from "node:path";
import { hasErrorCode, pathExists } from "../../base/files.ts";
import { removeTree } from "../files/remove-tree.ts";
import { getStateFolders } from "../files/state-folders.ts";
import { listMounts } from "./overlay.ts";

/**
 * Deletes the content of the trash, one tree after another, because on ext4 creating files is slow right after many
 * were deleted. Returns the number of deleted trees.
 */
export async function emptyTrash(stateDirectory: string, abort?: AbortSignal): Promise<number> {
  let removed = 0;
  for (const folder of listTrash(stateDirectory)) {
    if (abort?.aborted === true) return removed;
    if (await tryRemoveTree(folder, abort)) removed += 1;
  }
  return removed;
}

/** Folders that were set aside and can be deleted: deleting a layer that could not be unmounted would delete its content. */
export function listTrash(stateDirectory: string): readonly string[] {
  const { trash } = getStateFolders(stateDirectory);
  if (!pathExists(trash)) return [];
  return readdirSync(trash)
    .map((name) => join(trash, name))
    .filter((folder) => listMounts(folder).length === 0);
}

/** False if a git process that outlived its killed caller still writes there; it will have ended by the next time. */
async function tryRemoveTree(folder: string, abort: AbortSignal | undefined): Promise<boolean> {
  try {
    await removeTree(folder, abort);
    return true;
  } catch (error) {
    if (hasErrorCode(error, "ENOTEMPTY")) return false;
    throw error;
  }
}
