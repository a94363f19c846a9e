import { realpathSync, statSync, type Stats } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { readGitFile, readWorktreeSetting } from "./files/git-files.ts";

/**
 * The folder a project's files belong to: one per repository, whichever linked worktree, subfolder or symbolic link
 * one starts from. Reads git's files by hand, as starting git would cost more than most commands.
 */
export function findProjectRoot(startDirectory: string): string | undefined {
  let folder = realPath(startDirectory);
  while (folder !== undefined) {
    const repository = repositoryAt(folder);
    if (repository !== undefined) return repository.root;
    const parent = dirname(folder);
    folder = parent === folder ? undefined : parent;
  }
  return undefined;
}

/** The repository of a folder, if any; its root is unknown when its pointers are broken. */
function repositoryAt(folder: string): { readonly root: string | undefined } | undefined {
  const entry = join(folder, ".git");
  if (isFile(entry)) return { root: rootOfGitFile(entry) };
  // Git, too, looks further up when `.git` is an empty folder.
  if (isFile(join(entry, "HEAD"))) return { root: folder };
  return isGitDirectory(folder) ? { root: rootOfCommonDirectory(folder) } : undefined;
}

/** A `.git` file names its git directory: that of a linked worktree names a shared one, that of a submodule does not. */
function rootOfGitFile(file: string): string | undefined {
  const folder = dirname(file);
  const target = readGitFile(file, "gitdir: ");
  if (target === undefined) return undefined;
  const gitDirectory = resolve(folder, target);
  if (!isFile(join(gitDirectory, "HEAD"))) return undefined;
  const shared = readGitFile(join(gitDirectory, "commondir"), "");
  if (shared === undefined) return folder;
  const commonDirectory = realPath(resolve(gitDirectory, shared));
  return commonDirectory === undefined ? folder : rootOfCommonDirectory(commonDirectory);
}

/** The main checkout if there is one, otherwise the bare repository itself. */
function rootOfCommonDirectory(directory: string): string {
  const parent = dirname(directory);
  if (basename(directory) === ".git") return parent;
  const worktree = readWorktreeSetting(join(directory, "config"));
  const checkout = worktree === undefined ? undefined : realPath(resolve(directory, worktree));
  if (checkout !== undefined) return checkout;
  // `.bare` next to a `.git` file that points to it: people work in the folder around both.
  const pointer = readGitFile(join(parent, ".git"), "gitdir: ");
  const isPointedTo = pointer !== undefined && realPath(resolve(parent, pointer)) === directory;
  return isPointedTo ? parent : directory;
}

function isGitDirectory(folder: string): boolean {
  return isFile(join(folder, "HEAD")) && isFolder(join(folder, "objects")) && isFolder(join(folder, "refs"));
}

function isFile(path: string): boolean {
  return readStat(path)?.isFile() ?? false;
}

function isFolder(path: string): boolean {
  return readStat(path)?.isDirectory() ?? false;
}

function readStat(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // A folder that we may not read is not ours.
    return undefined;
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    // A path that does not exist has no repository.
    return undefined;
  }
}
