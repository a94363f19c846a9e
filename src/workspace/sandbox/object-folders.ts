import { realpathSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { readRegularText } from "../../base/files.ts";
import { getObjectDirectory, type Repository } from "../git/repository.ts";

/** The depth to which git follows them. */
const MAX_DEPTH = 5;

/** Lists the folders with the objects of a repository: its own, and those it borrows. Resolved, without duplicates. */
export function listObjectFolders(repository: Repository): readonly string[] {
  const found = new Set<string>();
  let level = [getObjectDirectory(repository)];
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth += 1) {
    const folders = level.filter(isFolderPath).map((path) => realpathSync(path));
    const fresh = folders.filter((path) => !found.has(path));
    for (const path of fresh) found.add(path);
    level = fresh.flatMap(readBorrowed);
  }
  return [...found];
}

function readBorrowed(folder: string): readonly string[] {
  const text = readRegularText(join(folder, "info", "alternates")) ?? "";
  return text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => (isAbsolute(line) ? line : join(folder, line)));
}

function isFolderPath(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
