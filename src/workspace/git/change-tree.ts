import { dirname } from "node:path";
import type { Repository } from "./repository.ts";
import {
  isFolder,
  makeFolderEntry,
  readFolders,
  type TreeEntries,
  type TreeEntry,
  writeTree,
} from "./tree-objects.ts";

/** A path with its new entry, or without one if it is to be removed. Names are bytes as Latin-1 text. */
export interface TreeChange {
  readonly path: string;
  readonly entry?: TreeEntry;
}

export interface ChangedEntry {
  readonly path: string;
  readonly before: TreeEntry | undefined;
  readonly after: TreeEntry | undefined;
}

export interface ChangedTree {
  readonly tree: string;
  /** The changed entries in the order of their bytes; unchanged ones are left out. */
  readonly changes: readonly ChangedEntry[];
}

/**
 * Stores a tree that differs from another one at a few paths: only the folders above them are read and written. Undefined
 * if a file and a folder of one name meet, which git decides.
 */
export async function changeTree(
  repository: Repository,
  root: string,
  wanted: readonly TreeChange[],
): Promise<ChangedTree | undefined> {
  const folders = [...new Set(wanted.flatMap(({ path }) => listFoldersAbove(path)))];
  const contents = await readFolders(repository, root, folders);
  if (contents === undefined) return undefined;
  const changes: ChangedEntry[] = [];
  // Removals come first, because a file may give way to a folder.
  for (const { path, entry } of wanted.toSorted((one, other) => Number(isSet(one)) - Number(isSet(other)))) {
    const entries = contents.get(findFolder(path));
    const name = path.slice(path.lastIndexOf("/") + 1);
    const before = entries?.get(name);
    if (entries === undefined || (before !== undefined && isFolder(before))) return undefined;
    if (entry === undefined) entries.delete(name);
    else entries.set(name, entry);
    if (before?.id !== entry?.id || before?.mode !== entry?.mode)
      changes.push({ path, before, after: entry });
  }
  const tree = await writeFolders(repository, contents);
  if (tree === undefined) return undefined;
  return { tree, changes: changes.toSorted((one, other) => (one.path < other.path ? -1 : 1)) };
}

function isSet({ entry }: TreeChange): boolean {
  return entry !== undefined;
}

/** Stores the trees of all folders; returns that of the root. */
async function writeFolders(
  repository: Repository,
  contents: ReadonlyMap<string, TreeEntries>,
): Promise<string | undefined> {
  const stored: Promise<void>[] = [];
  const root = joinFolders(contents, (entries) => {
    const { id, whenStored } = writeTree(repository, entries);
    stored.push(whenStored);
    return id;
  });
  await Promise.all(stored);
  return root;
}

/**
 * Works from the deepest folder up, because a folder's id depends on its content. A folder without entries is left out.
 */
function joinFolders(
  contents: ReadonlyMap<string, TreeEntries>,
  write: (entries: TreeEntries) => string,
): string | undefined {
  const deepestFirst = [...contents.keys()].toSorted((one, other) => countParts(other) - countParts(one));
  for (const folder of deepestFirst) {
    const entries = contents.get(folder) ?? new Map();
    if (folder === "") return write(entries);
    const above = contents.get(findFolder(folder));
    const name = folder.slice(folder.lastIndexOf("/") + 1);
    const there = above?.get(name);
    if (above === undefined || (there !== undefined && !isFolder(there))) return undefined;
    if (entries.size === 0) above.delete(name);
    else above.set(name, makeFolderEntry(write(entries)));
  }
  return undefined;
}

function countParts(folder: string): number {
  return folder === "" ? 0 : folder.split("/").length;
}

function listFoldersAbove(path: string): readonly string[] {
  const folder = findFolder(path);
  return folder === "" ? [""] : [folder, ...listFoldersAbove(folder)];
}

/** The folder of a path; empty for the root. */
function findFolder(path: string): string {
  const folder = dirname(path);
  return folder === "." ? "" : folder;
}
