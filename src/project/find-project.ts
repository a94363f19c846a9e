import { realpathSync, statSync, type Stats } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { readGitFile, readWorktreeSetting } from "./git/pointer-files.ts";

/**
 * The folder a project's files belong to: one per repository, whichever linked worktree, subfolder or symbolic link
 * one starts from. Reads git's files by hand, as starting git would cost more than most commands.
 */
export function findProjectRoot(startDirectory: string): string | undefined {
  const start = realPath(startDirectory);
  if (start === undefined) return undefined;
  let bare: string | undefined;
  for (const folder of listUpwards(start)) {
    const repository = repositoryAt(folder);
    // A clone can bring a folder that looks like a bare repository, but not one inside its own git folder.
    if (repository !== undefined && bare?.startsWith(join(folder, ".git", sep)) !== true)
      return repository.root;
    if (repository !== undefined) break;
    if (bare === undefined && isGitDirectory(folder)) bare = folder;
  }
  return bare === undefined ? undefined : rootOfCommonDirectory(bare);
}

/** The git directory that all worktrees of a project share; undefined if the folder is not the root of a repository. */
export function findCommonDirectory(projectRoot: string): string | undefined {
  const entry = join(projectRoot, ".git");
  if (isFile(entry)) return commonDirectoryOfGitFile(entry)?.directory;
  if (isFile(join(entry, "HEAD"))) return realPath(entry);
  return isGitDirectory(projectRoot) ? realPath(projectRoot) : undefined;
}

function listUpwards(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...listUpwards(parent)];
}

/** The repository whose checkout begins in a folder, if any; its root is unknown when its pointers are broken. */
function repositoryAt(folder: string): { readonly root: string | undefined } | undefined {
  const entry = join(folder, ".git");
  if (isFile(entry)) return { root: rootOfGitFile(entry) };
  // Git, too, looks further up when `.git` is an empty folder.
  return isFile(join(entry, "HEAD")) ? { root: folder } : undefined;
}

/** A `.git` file names its git directory: that of a linked worktree names a shared one, that of a submodule does not. */
function rootOfGitFile(file: string): string | undefined {
  const common = commonDirectoryOfGitFile(file);
  if (common === undefined) return undefined;
  return common.isShared ? rootOfCommonDirectory(common.directory) : dirname(file);
}

function commonDirectoryOfGitFile(
  file: string,
): { readonly directory: string; readonly isShared: boolean } | undefined {
  const target = readGitFile(file, "gitdir: ");
  if (target === undefined) return undefined;
  const own = realPath(resolve(dirname(file), target));
  if (own === undefined || !isFile(join(own, "HEAD"))) return undefined;
  const shared = readGitFile(join(own, "commondir"), "");
  const directory = shared === undefined ? undefined : realPath(resolve(own, shared));
  return directory === undefined ? { directory: own, isShared: false } : { directory, isShared: true };
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
