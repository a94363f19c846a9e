import { lstatSync, readdirSync, type Stats } from "node:fs";
import { joinBytePath, listFoldersAbove } from "../files/byte-path.ts";
import type { Repository } from "../git/repository.ts";
import { isFolder, readFolders, type TreeEntries, type TreeEntry } from "../git/tree-objects.ts";
import { MAX_FILES } from "./write-own-tree.ts";

export interface WrittenPlace {
  readonly repository: Repository;
  /** The tree that the work tree is compared with. */
  readonly root: string;
  readonly workTree: string;
  /** A folder stands for everything below it. */
  readonly paths: readonly string[];
}

/** A file or link that the work tree or the tree has at one of the paths. Names are bytes as Latin-1 text. */
export interface WrittenFile {
  readonly path: string;
  readonly isThere: boolean;
  /** The entry that the tree has there. */
  readonly before: TreeEntry | undefined;
}

/**
 * Lists the files at some paths. Undefined if they are many, or if only git knows what to make of them: submodules, a
 * folder where the tree has a file.
 */
export async function listWrittenFiles(place: WrittenPlace): Promise<readonly WrittenFile[] | undefined> {
  const files = new Map<string, WrittenFile>();
  const seen = new Set<string>();
  let waiting = place.paths.map((path) => Buffer.from(path).toString("latin1"));
  while (waiting.length > 0) {
    for (const path of waiting) seen.add(path);
    if (seen.size > MAX_FILES) return undefined;
    const trees = await readFolders(place.repository, place.root, listFolders(waiting));
    if (trees === undefined) return undefined;
    const below: string[] = [];
    for (const path of waiting) {
      const found = describePath(place, path, trees);
      if (found === undefined) return undefined;
      if (found === "folder") below.push(...listNames(place, path, trees));
      else files.set(path, found);
    }
    waiting = below.filter((path) => !seen.has(path));
  }
  return [...files.values()];
}

type Trees = ReadonlyMap<string, TreeEntries>;

/** Each of the paths may be a folder itself. */
function listFolders(paths: readonly string[]): readonly string[] {
  return [...new Set(["", ...paths.flatMap((path) => [...listFoldersAbove(path), path])])];
}

/** Undefined where only git can tell. */
function describePath(
  { workTree }: WrittenPlace,
  path: string,
  trees: Trees,
): WrittenFile | "folder" | undefined {
  const above = listFoldersAbove(path);
  const before = findEntry(trees, path);
  const isTree = before !== undefined && isFolder(before);
  if (!isTree && before !== undefined && !fileModes.has(before.mode)) return undefined;
  if (
    above.map((folder) => findEntry(trees, folder)).some((entry) => entry !== undefined && !isFolder(entry))
  )
    return undefined;
  const holders = above.map((folder) => statEntry(workTree, folder));
  if (holders.some((stats) => stats?.isDirectory() === false)) return undefined;
  const stats = holders.includes(undefined) ? undefined : statEntry(workTree, path);
  if (stats === undefined) return isTree ? "folder" : { path, isThere: false, before };
  if (stats.isDirectory()) return isTree || before === undefined ? "folder" : undefined;
  return { path, isThere: true, before };
}

/** Another mode is a submodule's, or one that git would write differently today. */
const fileModes: ReadonlySet<string> = new Set(["100644", "100755", "120000"]);

function findEntry(trees: Trees, path: string): TreeEntry | undefined {
  const slash = path.lastIndexOf("/");
  return trees.get(path.slice(0, Math.max(0, slash)))?.get(path.slice(slash + 1));
}

/** Everything in a folder of the work tree, and what the tree has in it. */
function listNames({ workTree }: WrittenPlace, folder: string, trees: Trees): readonly string[] {
  const isThere = statEntry(workTree, folder) !== undefined;
  const there = isThere ? readdirSync(joinBytePath(workTree, folder), { encoding: "buffer" }) : [];
  const names = [...there.map((name) => name.toString("latin1")), ...(trees.get(folder)?.keys() ?? [])];
  return [...new Set(names)].map((name) => `${folder}/${name}`);
}

function statEntry(workTree: string, path: string): Stats | undefined {
  return lstatSync(joinBytePath(workTree, path), { throwIfNoEntry: false });
}
