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
  const { trash } = getStateFolders(stateDirectory);
  if (!pathExists(trash)) return 0;
  let removed = 0;
  for (const name of readdirSync(trash)) {
    if (abort?.aborted === true) return removed;
    const folder = join(trash, name);
    // Deleting a layer that could not be unmounted would delete its content.
    if (listMounts(folder).length === 0 && (await tryRemoveTree(folder, abort))) removed += 1;
  }
  return removed;
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
