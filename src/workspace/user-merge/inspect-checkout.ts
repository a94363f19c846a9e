import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { countFiles } from "../../base/count-things.ts";
import { pathExists } from "../../base/files.ts";
import { joinBytePath } from "../files/byte-path.ts";
import { isGitDirectoryPath } from "../git/git-directory-path.ts";
import { type PrivateGit, findReadableIndex, withPrivateGit } from "../git/private-directory.ts";
import type { ProjectContext } from "../git/repository.ts";
import { runGit, splitAtZeros } from "../git/run-git.ts";
import { readSettings } from "../git/settings.ts";
import { isSafeTreePath, readAttributes } from "../merge/attributes.ts";
import type { CheckoutTrees, TouchedCheckout } from "./checkout-trees.ts";
import { listBlocking, listDifferences, listLockedFolders } from "./find-obstacles.ts";
import { indexLockAgeMs, indexLockPath } from "./index-lock.ts";
import { type MergeRefusal, refuseMerge, refuseOverwriting, STORY_BRANCH } from "./refusal.ts";
import { listLeftOut } from "./sparse-paths.ts";
import { listFilesOn, showLatin1Path } from "./touched.ts";

export interface CheckoutQuestion {
  /** The commit that is checked out. */
  readonly from: string;
  readonly trees: CheckoutTrees;
  readonly touched: TouchedCheckout;
  /** The index is locked by our own lock, which is not an obstacle. */
  readonly isLocked?: boolean;
}

/**
 * Returns the reason why the user's checkout cannot move, or undefined. Index and files must hold exactly the state that
 * the move starts from, at the paths that it touches. Read-only.
 */
export async function inspectCheckout(
  context: ProjectContext,
  question: CheckoutQuestion,
): Promise<MergeRefusal | undefined> {
  const { repository, stateDirectory } = context;
  const { from, trees, touched, isLocked } = question;
  const paths = new Set([...touched.index, ...touched.files].map(({ path }) => path));
  const unsafe = [...paths].filter(isUnsafePath);
  if (unsafe.length > 0) return refuseUnsafeNames(unsafe);
  const busy =
    findOperation(repository.gitDirectory) ?? (isLocked === true ? undefined : findIndexLock(context));
  if (busy !== undefined) return busy;
  const locked = listLockedFolders(repository.workTree, touched.files);
  if (locked.length > 0) return refuseLockedFolders(locked);
  const settings = await readSettings(repository);
  const place = { repository, stateDirectory, workTree: repository.workTree, head: from };
  return withPrivateGit(place, async (git) => {
    const leftOut = settings.isSparse ? await listLeftOut(repository, git, paths) : [];
    if (leftOut.length > 0) return refuseSparse(leftOut);
    return inspectFiles({ context, git, trees, touched, filters: settings.filters });
  });
}

interface FilesQuestion extends Pick<CheckoutQuestion, "touched" | "trees"> {
  readonly context: ProjectContext;
  readonly git: PrivateGit;
  /** The filters of the user's settings. */
  readonly filters: readonly string[];
}

/**
 * A program of the user's creates the content of a file behind a filter, and it is never run here. Such a file always
 * differs from its commit, so it must not be taken for an edit of the user's.
 */
async function inspectFiles(question: FilesQuestion): Promise<MergeRefusal | undefined> {
  const { context, git, trees, touched, filters } = question;
  const staged = await listStagedPaths(context, git, trees.index.from);
  if (staged.unmerged.length > 0) return refuseConflicted(staged.unmerged);
  const written = listFilesOn(touched.files, "to").map(({ path }) => path);
  const filtered = await listFiltered(context, git, { tree: trees.files.to, paths: written, filters });
  if (filtered.length > 0) return refuseFiltered(filtered);
  const edited = await listBlockingEdits(question, staged.changed);
  if (edited.length === 0) return undefined;
  const produced = await listFiltered(context, git, { tree: trees.files.from, paths: edited, filters });
  return produced.length > 0 ? refuseFiltered(produced) : refuseOverwriting(edited.map(showLatin1Path));
}

/** Lists paths whose index entry differs from a commit or a tree, and those in conflict. */
export async function listStagedPaths(
  { repository }: ProjectContext,
  git: PrivateGit,
  commit: string,
): Promise<{ readonly changed: ReadonlyMap<string, string>; readonly unmerged: readonly string[] }> {
  const indexFile = findReadableIndex(git, join(repository.gitDirectory, "index"));
  const { stdout } = await runGit({
    place: { ...git.place, indexFile },
    arguments: [
      "diff-index",
      "--cached",
      "--raw",
      "-z",
      "--no-abbrev",
      "--no-renames",
      "--ignore-submodules=none",
      commit,
    ],
  });
  const changed = new Map<string, string>();
  const unmerged: string[] = [];
  const parts = splitAtZeros(stdout);
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [, mode = "", , id = "", status = ""] = parts[at]?.toString("latin1").split(" ") ?? [];
    const path = parts[at + 1]?.toString("latin1") ?? "";
    if (status === "U") unmerged.push(path);
    changed.set(path, `${mode} ${id}`);
  }
  return { changed, unmerged };
}

async function listBlockingEdits(
  { context, git, touched }: FilesQuestion,
  staged: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const paths = new Set([
    ...touched.index.map(({ path }) => path).filter((path) => staged.has(path)),
    ...(await listDifferences(git, touched.files, "from")),
    ...listBlocking(context.repository.workTree, touched.files),
  ]);
  return [...paths];
}

interface FilterQuestion {
  /** The tree whose attributes count. */
  readonly tree: string;
  readonly paths: readonly string[];
  readonly filters: readonly string[];
}

/** Lists the paths whose content a filter of the user's creates. */
async function listFiltered(
  { repository }: ProjectContext,
  git: PrivateGit,
  { tree, paths, filters }: FilterQuestion,
): Promise<readonly string[]> {
  if (filters.length === 0 || paths.length === 0) return [];
  const workTree = mkdtempSync(join(git.directory, "attributes-"));
  for (const { path, content } of await readAttributes(repository, tree)) {
    mkdirSync(joinBytePath(workTree, dirname(path)), { recursive: true });
    writeFileSync(joinBytePath(workTree, path), content);
  }
  const { stdout } = await runGit({
    place: { ...git.place, workTree },
    arguments: ["-C", workTree, "check-attr", "-z", "--stdin", "filter"],
    stdin: Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1"),
  });
  const values = splitAtZeros(stdout).filter((_, index) => index % 3 === 2);
  return paths.filter((_, index) => filters.includes(String(values[index])));
}

function refuseFiltered(paths: readonly string[]): MergeRefusal {
  return refuseMerge("files-behind-filters", {
    message: `A filter program of yours, such as Git LFS, writes ${countFiles(paths.length)} of this merge`,
    recommendation: `Merge with your own git, which runs it: git merge --ff-only ${STORY_BRANCH}`,
    files: paths.map(showLatin1Path),
  });
}

const operations: readonly (readonly [string, string])[] = [
  ["MERGE_HEAD", "a merge"],
  ["CHERRY_PICK_HEAD", "a cherry-pick"],
  ["REVERT_HEAD", "a revert"],
  ["rebase-merge", "a rebase"],
  ["rebase-apply", "a rebase"],
];

function findOperation(gitDirectory: string): MergeRefusal | undefined {
  const found = operations.find(([name]) => pathExists(join(gitDirectory, name)));
  if (found === undefined) return undefined;
  return refuseMerge("operation-in-progress", {
    message: `You are in the middle of ${found[1]} (${join(gitDirectory, found[0])})`,
    recommendation: "Finish or abort it with git, then try again.",
  });
}

export function findIndexLock({ repository }: Pick<ProjectContext, "repository">): MergeRefusal | undefined {
  const ageMs = indexLockAgeMs(repository.gitDirectory);
  if (ageMs === undefined) return undefined;
  const path = indexLockPath(repository.gitDirectory);
  return refuseMerge("index-locked", {
    message: `${path} has been there for ${String(Math.round(ageMs / 1000))} s: a git command runs, or one was killed`,
    recommendation: `If no git command runs in this checkout, remove it: rm ${path}`,
  });
}

function refuseLockedFolders(folders: readonly string[]): MergeRefusal {
  return refuseMerge("folders-locked", {
    message: "You may not write in folders whose files this merge changes",
    recommendation: "Correct their owner or their mode, then try again. Nothing was changed.",
    files: folders.map((folder) => showLatin1Path(folder === "" ? "." : folder)),
  });
}

function refuseConflicted(paths: readonly string[]): MergeRefusal {
  return refuseMerge("operation-in-progress", {
    message: `You have ${countFiles(paths.length)} in conflict`,
    recommendation: "Resolve them with git, then try again.",
    files: paths.map(showLatin1Path),
  });
}

function refuseSparse(paths: readonly string[]): MergeRefusal {
  return refuseMerge("sparse-checkout", {
    message: `Your sparse checkout leaves out ${countFiles(paths.length)} of this merge`,
    recommendation: `Add their folders (git sparse-checkout add), or merge with your own git, which knows the rules: git merge --ff-only ${STORY_BRANCH}`,
    files: paths.map(showLatin1Path),
  });
}

/** Anyone can make a tree with any names in it; these would leave the checkout, or reach its git directory. */
function isUnsafePath(path: string): boolean {
  return !isSafeTreePath(path) || isGitDirectoryPath(Buffer.from(path, "latin1"));
}

function refuseUnsafeNames(paths: readonly string[]): MergeRefusal {
  return refuseMerge("unsafe-names", {
    message: `${String(paths.length)} names in this work are not allowed in a checkout`,
    recommendation: "Do not merge it; look at the work of each worker with `ambit diff`.",
    files: paths.map(showLatin1Path),
  });
}
