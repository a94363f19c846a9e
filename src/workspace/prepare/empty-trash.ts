import { readdirSync } from "node:fs";
import { join } from "node:path";
import { hasCode } from "../files/has-code.ts";
import { removeTree } from "../files/remove-tree.ts";
import { isThere } from "../files/safe-path.ts";
import { foldersOf } from "../files/state-folders.ts";
import { listMounts } from "./overlay.ts";

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
