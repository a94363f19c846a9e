import { readdirSync, readFileSync, realpathSync, statSync, type Dirent } from "node:fs";
import { basename, join } from "node:path";
import { isInside } from "../../base/files.ts";
import { readErrorMessage } from "../../base/delegation-error.ts";
import type { DefinitionFolder } from "./folders.ts";

/** One file of a folder, with its text or the reason why it has none. */
export interface DefinitionFile {
  /** Relative to the project. */
  readonly file: string;
  /** Its name without the extension. */
  readonly stem: string;
  readonly text: string | undefined;
  readonly problem: string | undefined;
}

const MAX_FILES = 500;
const MAX_BYTES = 256 * 1024;

/** Every definition of a folder, sorted. A link that leads out of the project is never followed. */
export function readDefinitionFolder(
  projectRoot: string,
  folder: DefinitionFolder,
): readonly DefinitionFile[] {
  const root = realpathSync(projectRoot);
  return listDefinitionFiles(root, folder).map((file) => readFileInside(root, file, folder.extension));
}

/** One file of a folder by its stem; undefined if it does not exist. */
export function readDefinitionFile(
  projectRoot: string,
  { path, extension }: Pick<DefinitionFolder, "path" | "extension">,
  stem: string,
): DefinitionFile | undefined {
  const root = realpathSync(projectRoot);
  const file = `${path}/${stem}${extension}`;
  return statSync(join(root, file), { throwIfNoEntry: false }) === undefined
    ? undefined
    : readFileInside(root, file, extension);
}

function listDefinitionFiles(root: string, { path, extension, levels }: DefinitionFolder): readonly string[] {
  const found: string[] = [];
  const waiting = [{ path, level: 0 }];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    for (const entry of listFolderEntries(root, next.path)) {
      const file = `${next.path}/${entry.name}`;
      if (entry.isDirectory() && next.level < levels) waiting.push({ path: file, level: next.level + 1 });
      else if (isDefinition(entry, extension)) found.push(file);
    }
    if (found.length >= MAX_FILES) break;
  }
  return found.slice(0, MAX_FILES).toSorted();
}

function listFolderEntries(root: string, path: string): readonly Dirent[] {
  try {
    const folder = realpathSync(join(root, path));
    return folder !== root && isInside(folder, root) ? readdirSync(folder, { withFileTypes: true }) : [];
  } catch {
    // It does not exist or is not a folder.
    return [];
  }
}

function isDefinition(entry: Dirent, extension: string): boolean {
  const isReadMe = entry.name.toLowerCase() === `readme${extension}`;
  return !entry.isDirectory() && entry.name.endsWith(extension) && !isReadMe && !entry.name.startsWith(".");
}

function readFileInside(root: string, file: string, extension: string): DefinitionFile {
  const stem = basename(file, extension);
  try {
    const path = realpathSync(join(root, file));
    if (!isInside(path, root)) return { file, stem, text: undefined, problem: "it leads out of the project" };
    const facts = statSync(path);
    if (!facts.isFile()) return { file, stem, text: undefined, problem: "it is not a regular file" };
    if (facts.size > MAX_BYTES) {
      const problem = `it has ${facts.size} bytes; a definition may have ${MAX_BYTES}`;
      return { file, stem, text: undefined, problem };
    }
    return { file, stem, text: readFileSync(path, "utf8"), problem: undefined };
  } catch (error) {
    return { file, stem, text: undefined, problem: `it cannot be read: ${readErrorMessage(error)}` };
  }
}
