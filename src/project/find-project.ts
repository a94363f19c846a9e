import { readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";

/** Far above any real pointer or configuration file. */
const MAX_BYTES = 1024 * 1024;

/**
 * The root of the current checkout, from any subfolder or symbolic link: settings, agents and the base of stories
 * come from there. All worktrees of a repository share one state folder (`getStateDirectory`). Reads git's files by
 * hand, as starting git would cost more than most commands.
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
  if (isFile(entry)) return commonDirectoryOfGitFile(entry);
  if (isFile(join(entry, "HEAD"))) return realPath(entry);
  return isGitDirectory(projectRoot) ? realPath(projectRoot) : undefined;
}

/**
 * The checkout in which a project's supervisor lives: the main one, because a linked worktree may be removed meanwhile.
 * A bare repository has only linked ones.
 */
export function findMainRoot(projectRoot: string): string {
  const common = findCommonDirectory(projectRoot);
  if (common === undefined || readCoreSetting(join(common, "config"), "bare") === "true") return projectRoot;
  const root = rootOfCommonDirectory(common);
  // Of `git init --separate-git-dir` only the checkout knows the git folder, not the other way round.
  return root === common ? projectRoot : root;
}

/** The folder beside which a repository's workspaces are kept, whichever worktree one starts from. */
export function findTreesRoot(projectRoot: string): string {
  const common = findCommonDirectory(projectRoot);
  return common === undefined ? projectRoot : rootOfCommonDirectory(common);
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

/** A `.git` file names the git directory of a linked worktree or of a submodule. */
function rootOfGitFile(file: string): string | undefined {
  return commonDirectoryOfGitFile(file) === undefined ? undefined : dirname(file);
}

/** That of a linked worktree names a shared one, that of a submodule does not. */
function commonDirectoryOfGitFile(file: string): string | undefined {
  const target = readGitFile(file, "gitdir: ");
  if (target === undefined) return undefined;
  const own = realPath(resolve(dirname(file), target));
  if (own === undefined || !isFile(join(own, "HEAD"))) return undefined;
  const shared = readGitFile(join(own, "commondir"), "");
  return (shared === undefined ? undefined : realPath(resolve(own, shared))) ?? own;
}

/** The main checkout if there is one, otherwise the bare repository itself. */
function rootOfCommonDirectory(directory: string): string {
  const parent = dirname(directory);
  if (basename(directory) === ".git") return parent;
  const worktree = readCoreSetting(join(directory, "config"), "worktree");
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

/** The one line of a git pointer file (`.git`, `commondir`), without its prefix. */
function readGitFile(path: string, prefix: string): string | undefined {
  const text = readSmallFile(path);
  if (text?.startsWith(prefix) !== true) return undefined;
  const [line = ""] = text.slice(prefix.length).split("\n");
  const value = line.endsWith("\r") ? line.slice(0, -1) : line;
  return value === "" ? undefined : value;
}

/** A setting of `[core]`, such as `worktree`: where a submodule's files are. */
function readCoreSetting(path: string, wanted: "bare" | "worktree"): string | undefined {
  const text = readSmallFile(path);
  if (text === undefined) return undefined;
  let inCore = false;
  for (const line of text.split("\n").map((part) => part.trim())) {
    if (line.startsWith("[")) inCore = line.toLowerCase() === "[core]";
    const [name = "", ...rest] = line.split("=");
    if (inCore && name.trim().toLowerCase() === wanted) return unquoteValue(rest.join("=").trim());
  }
  return undefined;
}

/** Git follows links here, so links are followed; a pipe is not waited for, and a huge file is not read. */
function readSmallFile(path: string): string | undefined {
  try {
    const stats = statSync(path);
    return stats.isFile() && stats.size <= MAX_BYTES ? readFileSync(path, "utf8") : undefined;
  } catch {
    // A file that is missing or that we may not read tells us nothing.
    return undefined;
  }
}

function unquoteValue(value: string): string {
  return value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
}
