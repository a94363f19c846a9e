import { chmodSync, mkdirSync, readdirSync } from "node:fs";
import { joinBytePath, listFoldersAbove } from "../files/byte-path.ts";
import { type TreeChange, listAbsentOn, listEntriesOn, readPathStat } from "./touched.ts";

/** Permissions of folders by path, as Latin-1 text. */
export type FolderPermissions = Readonly<Record<string, number>>;

/**
 * Reads the folders that git cannot restore when a move is undone: those that the move empties and removes, and those
 * without files into which it puts the first one.
 */
export function readFolders(root: string, touched: readonly TreeChange[]): FolderPermissions {
  const leaving = listAbsentOn(touched, "to");
  const entering = listEntriesOn(touched, "to").map(({ path }) => path);
  const filled = new Set(entering.flatMap(listFoldersAbove));
  const emptied = findEmptied(root, leaving, filled);
  const withoutFiles = [...filled].filter((folder) => isWithoutFiles(root, folder));
  const replaced = entering.flatMap((path) => listFolders(root, path));
  const folders = [...emptied, ...withoutFiles, ...replaced];
  return Object.fromEntries(
    folders.map((folder) => [folder, (readPathStat(root, folder)?.mode ?? 0o755) & 0o7777]),
  );
}

/** Restores folders after the files; a folder that may not be written gets its permissions last. */
export function restoreFolders(root: string, folders: FolderPermissions): void {
  const paths = Object.keys(folders).toSorted();
  for (const path of paths) mkdirSync(joinBytePath(root, path), { recursive: true });
  for (const path of paths.toReversed()) chmodSync(joinBytePath(root, path), folders[path] ?? 0o755);
}

/** Lists folders of which nothing is left once some files have been removed; the deepest come first. */
function findEmptied(
  root: string,
  leaving: readonly string[],
  filled: ReadonlySet<string>,
): ReadonlySet<string> {
  const gone = new Set(leaving);
  const emptied = new Set<string>();
  const above = [...new Set(leaving.flatMap(listFoldersAbove))].toSorted().toReversed();
  for (const folder of above.filter((path) => !filled.has(path))) {
    const entries = readEntries(root, folder);
    if (entries?.every(({ path }) => gone.has(path)) !== true) continue;
    gone.add(folder);
    emptied.add(folder);
  }
  return emptied;
}

/** True for a folder in which there are other folders at most. */
function isWithoutFiles(root: string, folder: string): boolean {
  const entries = readEntries(root, folder);
  return entries?.every(({ path, isFolder }) => isFolder && isWithoutFiles(root, path)) === true;
}

/** Lists a folder and those below it; empty for a file. */
function listFolders(root: string, folder: string): readonly string[] {
  const entries = readEntries(root, folder);
  if (entries === undefined) return [];
  return [
    folder,
    ...entries.filter(({ isFolder }) => isFolder).flatMap(({ path }) => listFolders(root, path)),
  ];
}

interface FolderEntry {
  readonly path: string;
  readonly isFolder: boolean;
}

function readEntries(root: string, folder: string): readonly FolderEntry[] | undefined {
  if (readPathStat(root, folder)?.isDirectory() !== true) return undefined;
  const entries = readdirSync(joinBytePath(root, folder), { withFileTypes: true, encoding: "buffer" });
  return entries.map((entry) => ({
    path: `${folder}/${entry.name.toString("latin1")}`,
    isFolder: entry.isDirectory(),
  }));
}
