import { lstatSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { readRegularText, writeFileAtomically } from "../../base/files.ts";
import type { Repository } from "../git/repository.ts";

/** The file that a command sees as `.git` of its worktree when the git folder is at another place in its view. */
const POINTER = "ambit-pointer";

/** Whether an entry of git's metadata of a worktree is that file. A worker can put any entry there. */
export function isShownPointer(adminDirectory: string, name: string): boolean {
  return name === POINTER && lstatSync(join(adminDirectory, name)).isFile();
}

/** Writes the file; undefined if the folder is not a worktree of the repository. */
export function writeShownPointer(
  worktree: string,
  { repository, gitFolder }: { readonly repository: Repository; readonly gitFolder: string },
): string | undefined {
  const { commonDirectory } = repository;
  const [, folder] = /^gitdir: ([^\r\n]+)\r?\n?$/.exec(readRegularText(join(worktree, ".git")) ?? "") ?? [];
  if (folder === undefined || dirname(folder) !== join(commonDirectory, "worktrees")) return undefined;
  const pointer = join(folder, POINTER);
  const text = `gitdir: ${gitFolder}${folder.slice(commonDirectory.length)}\n`;
  // A file that is shown somewhere is not replaced: a sandbox inside the view could not mount the old file again.
  if (readRegularText(pointer) === text) return pointer;
  rmSync(pointer, { recursive: true, force: true });
  writeFileAtomically(pointer, text);
  return pointer;
}
