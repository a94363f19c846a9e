import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathExists } from "../../base/files.ts";
import type { SandboxFolders } from "./folders.ts";

type Root = Pick<SandboxFolders, "root">;

/**
 * Marks that an import has begun. If it fails, an earlier import must not be taken for it: its ref lacks the newest work.
 */
export function markUnimported(folders: Root): void {
  writeFileSync(markPath(folders), "");
}

export function markImported(folders: Root): void {
  rmSync(markPath(folders), { force: true });
}

/** Whether the last import of this sandbox has not ended well. */
export function isUnimported(folders: Root): boolean {
  return pathExists(markPath(folders));
}

function markPath({ root }: Root): string {
  return join(root, "unimported");
}
