import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { workspaceErrors } from "../../errors/workspace.ts";
import { storeLfsObject } from "../capture/lfs-objects.ts";

const MAX_FILES = 10_000;
const MAX_BYTES = 4 * 1024 * 1024 * 1024;

/**
 * Stores the LFS content that a sandbox handed over where LFS looks for it. The names are the hashes of the content, and
 * no other claim is believed.
 */
export function importLfsContent(folder: string, lfsDirectory: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  const names = readdirSync(folder);
  const sizes = names.map((name) => readContentSize(folder, name));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  if (names.length > MAX_FILES || bytes > MAX_BYTES)
    throw workspaceErrors.handOverRefused(
      `${String(names.length)} files behind Git LFS have ${String(bytes)} bytes; at most ${String(MAX_FILES)} files and ${String(MAX_BYTES)} bytes are taken`,
    );
  for (const name of names)
    if (!storeLfsObject(join(folder, name), lfsDirectory, name))
      throw workspaceErrors.handOverRefused("a file in Git LFS does not match its pointer");
}

function readContentSize(folder: string, name: string): number {
  const stats = lstatSync(join(folder, name));
  if (stats.isFile() && /^[0-9a-f]{64}$/.test(name)) return stats.size;
  throw workspaceErrors.handOverRefused("the content that it left for files in Git LFS is invalid");
}
