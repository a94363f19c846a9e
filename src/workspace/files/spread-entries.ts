import { statfsSync } from "node:fs";
import { runCommand } from "../../base/run-command.ts";

/** As `statfs` calls ext2, ext3 and ext4. */
const EXT_FILE_SYSTEM = 0xef53;
const TIMEOUT_MS = 10_000;

/**
 * Has ext4 spread the folders that will be made in a new folder over the whole disk, instead of placing them near it.
 * Where files were deleted in the last minutes, creating files takes several times as long, because the kernel steps over
 * every inode that was freed there. Other file systems have no such places.
 */
export async function spreadEntries(searchPath: string, folder: string): Promise<void> {
  try {
    if (statfsSync(folder).type !== EXT_FILE_SYSTEM) return;
    const environment = { PATH: searchPath, LC_ALL: "C" };
    await runCommand({ argv: ["chattr", "+T", folder], cwd: "/", environment, timeoutMs: TIMEOUT_MS });
  } catch {
    // There is no such program here: only the speed differs.
  }
}
