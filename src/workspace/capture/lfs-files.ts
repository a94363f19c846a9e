import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathExists } from "../../base/files.ts";
import type { PrivateGit } from "../git/private-directory.ts";
import { runGit } from "../git/run-git.ts";
import type { StatusEntry } from "../git/status.ts";
import { hashFile, POINTER_START, storeLfsObject } from "./lfs-objects.ts";
import { type LeftOut, listFilterValues } from "./sort-out.ts";

/** A changed file that Git LFS keeps outside the repository: in a commit there is only a pointer to it. */
export interface LfsFile {
  readonly entry: StatusEntry;
  readonly pointer: string;
  readonly hash: string;
  readonly isExecutable: boolean;
  /** HEAD has this very pointer, so the file is unchanged although its bytes differ from those of the commit. */
  readonly isInHead: boolean;
}

/** Finds files behind LFS that hold content. Pointers and empty files are the same in a commit, so they are not listed. */
export async function findLfsFiles(
  git: PrivateGit,
  entries: readonly StatusEntry[],
): Promise<readonly LfsFile[]> {
  const present = entries.filter((entry) => !entry.isRemoved);
  const paths = present.map(({ path }) => path);
  if (!hasAttributes(git, paths)) return [];
  const values = await listFilterValues(git, present);
  const files = present
    .filter((_, index) => values[index] === "lfs")
    .flatMap((entry) => readContent(git, entry));
  if (files.length === 0) return [];
  const pointers = await readHeadPointers(git, files);
  return files.map(({ entry, pointer, hash, isExecutable }, index) => {
    return { entry, pointer, hash, isExecutable, isInHead: pointers[index] === pointer };
  });
}

/** Where attributes can be: in the files of a work tree, and in `info` of a git directory. */
export interface AttributePlaces {
  readonly directory: string;
  readonly place: { readonly workTree?: string };
}

/** Asking git costs a process, and most projects have no attributes. */
export function hasAttributes({ directory, place }: AttributePlaces, paths: readonly Buffer[]): boolean {
  if (pathExists(join(directory, "info", "attributes"))) return true;
  const folders = new Set(paths.flatMap((path) => listFolders(path.toString("latin1"))));
  const root = Buffer.from(place.workTree ?? "").toString("latin1");
  return [...folders].some((folder) =>
    lstatSync(Buffer.from(join(root, folder, ".gitattributes"), "latin1"), { throwIfNoEntry: false }),
  );
}

/** All folders above a path, the root included. */
function listFolders(path: string): readonly string[] {
  const parent = dirname(path);
  return parent === "." ? [parent] : [parent, ...listFolders(parent)];
}

function readContent(git: PrivateGit, entry: StatusEntry): readonly Omit<LfsFile, "isInHead">[] {
  const path = findPath(git, entry);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() !== true || stats.size === 0) return [];
  const { hash, start } = hashFile(path);
  if (start.startsWith(POINTER_START)) return [];
  const pointer = `${POINTER_START}oid sha256:${hash}\nsize ${String(stats.size)}\n`;
  return [{ entry, pointer, hash, isExecutable: stats.mode % 0o200 >= 0o100 }];
}

function findPath(git: PrivateGit, { path }: StatusEntry): Buffer {
  return Buffer.concat([Buffer.from(`${git.place.workTree ?? ""}/`), path]);
}

/** Reads the files at these paths in HEAD, as text; empty if there is none. */
async function readHeadPointers(
  git: PrivateGit,
  files: readonly Pick<LfsFile, "entry">[],
): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const { entry } of files) {
    const name = Buffer.concat([Buffer.from("HEAD:"), entry.path, Buffer.from("\n")]);
    const { stdout } = await runGit({ place: git.place, arguments: ["cat-file", "--batch"], stdin: name });
    const text = stdout.toString("latin1");
    texts.push(text.slice(text.indexOf("\n") + 1, -1));
  }
  return texts;
}

/**
 * Stores changed files as LFS itself would, without running it: content in its folder, a pointer in the index. A file
 * that changes meanwhile is left out.
 */
export async function stageLfsFiles(
  git: PrivateGit,
  lfsDirectory: string,
  files: readonly LfsFile[],
): Promise<readonly LeftOut[]> {
  const lines: Buffer[] = [];
  const leftOut: LeftOut[] = [];
  for (const { entry, pointer, hash, isExecutable } of files) {
    if (!storeLfsObject(findPath(git, entry), lfsDirectory, hash)) {
      leftOut.push({ path: entry.path, reason: "unreadable" });
      continue;
    }
    const { stdout } = await runGit({
      place: git.place,
      arguments: ["hash-object", "-w", "--no-filters", "--stdin"],
      stdin: pointer,
    });
    const mode = isExecutable ? "100755" : "100644";
    lines.push(Buffer.from(`${mode} ${stdout.toString("latin1").trim()}\t`), entry.path, Buffer.alloc(1));
  }
  const stdin = Buffer.concat(lines);
  if (lines.length > 0)
    await runGit({ place: git.place, arguments: ["update-index", "-z", "--index-info"], stdin });
  return leftOut;
}
