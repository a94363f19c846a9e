import { mkdirSync, renameSync, rmSync } from "node:fs";
import { pathExists } from "../../base/files.ts";
import { randomBase36 } from "../../base/ids.ts";

/**
 * Fills a folder under a temporary name and then renames it, so that it exists completely or not at all. If two
 * processes create the same folder, the second discards its own.
 */
export async function createFolderWhole(
  folder: string,
  fill: (beside: string) => Promise<void>,
): Promise<void> {
  const beside = `${folder}.${String(process.pid)}-${randomBase36(8)}`;
  mkdirSync(beside, { recursive: true, mode: 0o700 });
  try {
    await fill(beside);
    renameSync(beside, folder);
  } catch (error) {
    rmSync(beside, { recursive: true, force: true });
    if (!pathExists(folder)) throw error;
  }
}

export function isUnfinishedName(name: string): boolean {
  return parseMakerPid(name) !== undefined;
}

/** Returns the id of the process that is, or was, filling a folder of that name. */
export function parseMakerPid(name: string): number | undefined {
  const suffix = name.slice(name.lastIndexOf(".") + 1);
  const pid = name.includes(".") ? Number.parseInt(suffix, 10) : Number.NaN;
  return Number.isNaN(pid) ? undefined : pid;
}
