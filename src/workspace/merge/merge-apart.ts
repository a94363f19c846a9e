import { findKnownBase } from "../git/ancestry.ts";
import { changeTree } from "../git/change-tree.ts";
import { readCommitTree } from "../git/create-tree-commit.ts";
import { type ChangedFile, readChangedFiles } from "../git/read-changes.ts";
import type { Repository } from "../git/repository.ts";
import { readFolders, type TreeEntries } from "../git/tree-objects.ts";

/** For more files than this, git is not much slower. */
const MAX_FILES = 1000;

/**
 * Merges a commit that we made into one that has not touched the same files, without git: starting it takes longer than
 * all the rest. Gives the tree that git gives; undefined where git has to decide.
 */
export async function mergeApart(
  repository: Repository,
  { ours, theirs }: { readonly ours: string; readonly theirs: string },
): Promise<string | undefined> {
  const base = findKnownBase(repository, { ours, theirs });
  if (base === undefined || base === ours) return undefined;
  const changes = await readChangedFiles(repository, base, theirs);
  // Git looks for a new name of a removed file, which the other side may have changed.
  if (changes.length > MAX_FILES || changes.some(({ kind }) => kind === "removed")) return undefined;
  const [before, now] = await Promise.all([base, ours].map((one) => readCommitTree(repository, one)));
  if (before === undefined || now === undefined) return undefined;
  if (!(await areUntouched(repository, { before, now, changes }))) return undefined;
  const wanted = changes.map(({ bytes, newMode, newId }) => ({
    path: bytes.toString("latin1"),
    entry: { mode: newMode, id: newId },
  }));
  return (await changeTree(repository, now, wanted))?.tree;
}

interface Comparison {
  readonly before: string;
  readonly now: string;
  readonly changes: readonly ChangedFile[];
}

/** Whether the files, and the folders around them, are the same in both trees, as far as a merge of them depends on it. */
async function areUntouched(repository: Repository, { before, now, changes }: Comparison): Promise<boolean> {
  const paths = changes.map(({ bytes }) => bytes.toString("latin1"));
  const folders = [...new Set(paths.flatMap(listFoldersAbove))];
  const [old, current] = await Promise.all(
    [before, now].map((tree) => readFolders(repository, tree, folders)),
  );
  if (old === undefined || current === undefined) return false;
  const find = (from: ReadonlyMap<string, TreeEntries>, path: string): string => {
    const slash = path.lastIndexOf("/");
    const entry = from.get(path.slice(0, Math.max(0, slash)))?.get(path.slice(slash + 1));
    return `${entry?.mode ?? ""} ${entry?.id ?? ""}`;
  };
  // Git may move a file along with a folder that is gone on the other side.
  const isThere = (folder: string): boolean =>
    (old.get(folder)?.size ?? 0) === 0 || (current.get(folder)?.size ?? 0) > 0;
  return folders.every(isThere) && paths.every((path) => find(old, path) === find(current, path));
}

/** `a/b/c` → ``, `a`, `a/b` */
function listFoldersAbove(path: string): readonly string[] {
  const segments = path.split("/").slice(0, -1);
  return ["", ...segments.map((_, index) => segments.slice(0, index + 1).join("/"))];
}
