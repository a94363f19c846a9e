import type { ChangedEntry } from "./change-tree.ts";
import type { Repository } from "./repository.ts";
import { isFolder, readKnownTree, type TreeEntries, type TreeEntry } from "./tree-objects.ts";

const noEntries: TreeEntries = new Map();

/** Lists the files in which two trees differ, as git does; undefined if one of their folders is not known here. */
export function compareKnownTrees(
  repository: Repository,
  base: string,
  tip: string,
): readonly ChangedEntry[] | undefined {
  const found: ChangedEntry[] = [];
  const open: FolderPair[] = [{ path: "", before: base, after: tip }];
  for (const { path, before, after } of open) {
    const old = before === undefined ? noEntries : readKnownTree(repository, before);
    const now = after === undefined ? noEntries : readKnownTree(repository, after);
    if (old === undefined || now === undefined) return undefined;
    for (const name of new Set([...old.keys(), ...now.keys()])) {
      const pair = { path: `${path}${name}`, before: old.get(name), after: now.get(name) };
      if (isSame(pair)) continue;
      const files = { path: pair.path, before: asFile(pair.before), after: asFile(pair.after) };
      if (files.before !== undefined || files.after !== undefined) found.push(files);
      const folders = { path: `${pair.path}/`, before: asFolder(pair.before), after: asFolder(pair.after) };
      if (folders.before !== undefined || folders.after !== undefined) open.push(folders);
    }
  }
  return found.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

interface FolderPair {
  readonly path: string;
  /** The id of the tree; undefined if there is no such folder. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

function isSame({ before, after }: Omit<ChangedEntry, "path">): boolean {
  return before?.id === after?.id && before?.mode === after?.mode;
}

function asFile(entry: TreeEntry | undefined): TreeEntry | undefined {
  return entry === undefined || isFolder(entry) ? undefined : entry;
}

function asFolder(entry: TreeEntry | undefined): string | undefined {
  return entry === undefined || !isFolder(entry) ? undefined : entry.id;
}
