import { lstatSync, readlinkSync } from "node:fs";
import { pathExists, readRegularFile } from "../../base/files.ts";
import { type ChangedTree, changeTree, type TreeChange } from "../git/change-tree.ts";
import { readCommitTree } from "../git/create-tree-commit.ts";
import { isModulesPath } from "../git/git-directory-path.ts";
import type { Repository } from "../git/repository.ts";
import { readSettings, type Settings } from "../git/settings.ts";
import { writeObject } from "../git/write-object.ts";
import { type AttributePlaces, hasAttributes } from "./lfs-files.ts";
import type { Sorted } from "./sort-out.ts";

/** With more or larger files than these, git is as fast. */
export const MAX_FILES = 200;
const MAX_FILE_BYTES = 4 * 1024 * 1024;
/** Each waits for the disk, which takes hardly longer for many. */
const FILES_AT_ONCE = 16;

export interface OwnTreeRequest {
  readonly repository: Repository;
  readonly git: AttributePlaces;
  /** The commit that the files are compared with. */
  readonly head: string;
  readonly sorted: Pick<Sorted, "added" | "removed">;
}

/**
 * Writes the tree of a work tree with few changes without starting git. Undefined if bytes on the disk and in the
 * repository may differ: attributes, line ends that git converts, file systems without modes or links.
 */
export async function writeOwnTree(request: OwnTreeRequest): Promise<ChangedTree | undefined> {
  const { repository, git, head, sorted } = request;
  if (sorted.added.length + sorted.removed.length > MAX_FILES) return undefined;
  if (!isStoredAsIs(await readSettings(repository)) || hasAttributes(git, sorted.added)) return undefined;
  const added: TreeChange[] = [];
  for (let at = 0; at < sorted.added.length; at += FILES_AT_ONCE) {
    const some = sorted.added.slice(at, at + FILES_AT_ONCE);
    const entries = await Promise.all(some.map((path) => storeFile(request, path)));
    for (const [index, entry] of entries.entries()) {
      if (entry === undefined) return undefined;
      added.push({ path: some[index]?.toString("latin1") ?? "", entry });
    }
  }
  const removed = sorted.removed.map((path) => ({ path: path.toString("latin1") }));
  return changeTree(repository, await readCommitTree(repository, head), [...removed, ...added]);
}

function isStoredAsIs({ passed, isShared, isSparse }: Settings): boolean {
  const values = new Map(passed);
  const is = (key: string, value: string): boolean => (values.get(key) ?? value).toLowerCase() === value;
  const isPlain = is("core.filemode", "true") && is("core.symlinks", "true");
  const isAsWritten = is("core.ignorecase", "false") && is("core.precomposeunicode", "false");
  const hasOwnAttributes = pathExists(values.get("core.attributesFile") ?? "");
  return (
    isPlain && isAsWritten && is("core.autocrlf", "false") && !hasOwnAttributes && !isShared && !isSparse
  );
}

async function storeFile({ repository, git }: OwnTreeRequest, path: Buffer): Promise<TreeChange["entry"]> {
  const file = readTreeFile(git.place.workTree ?? "", path);
  return file === undefined
    ? undefined
    : { mode: file.mode, id: await writeObject(repository, { type: "blob", content: file.content }) };
}

export interface TreeFile {
  readonly mode: string;
  readonly content: Buffer;
}

/** A file or link as git would store it; undefined for everything else, and for a file that is better left to git. */
export function readTreeFile(workTree: string, path: Buffer): TreeFile | undefined {
  const whole = Buffer.concat([Buffer.from(`${workTree}/`), path]);
  const stats = lstatSync(whole, { throwIfNoEntry: false });
  if (stats?.isSymbolicLink() === true)
    return isModulesPath(path)
      ? undefined
      : { mode: "120000", content: readlinkSync(whole, { encoding: "buffer" }) };
  const content = stats?.isFile() === true ? readRegularFile(whole, MAX_FILE_BYTES) : undefined;
  if (stats === undefined || content === undefined) return undefined;
  return { mode: (stats.mode & 0o100) === 0 ? "100644" : "100755", content };
}
