import { lstatSync, type Stats } from "node:fs";
import type { PrivateReason } from "../files/private-names.ts";
import { isGitDirectoryPath, isModulesPath } from "../git/git-directory-path.ts";
import type { PrivateGit } from "../git/private-directory.ts";
import { runGit, splitAtZeros } from "../git/run-git.ts";
import type { StatusEntry } from "../git/status.ts";

export type LeftOutReason =
  | "nested-repository"
  | "behind-a-filter"
  | "too-large"
  | "special-file"
  | "git-name"
  | PrivateReason
  | "unreadable";

/** A path of the work tree that is not in the captured tree, with the reason. */
export interface LeftOut {
  readonly path: Buffer;
  readonly reason: LeftOutReason;
}

export interface FilterQuestion {
  readonly git: PrivateGit;
  readonly filters: readonly string[];
  readonly entries: readonly StatusEntry[];
}

export interface FilterAnswer {
  readonly kept: readonly StatusEntry[];
  readonly leftOut: readonly LeftOut[];
}

/** Without its filter, a large file would be stored whole where the repository expects a pointer. */
export async function leaveOutFiltered(question: FilterQuestion): Promise<FilterAnswer> {
  const { entries, filters, git } = question;
  const present = entries.filter((entry) => !entry.isRemoved);
  if (filters.length === 0 || present.length === 0) return { kept: entries, leftOut: [] };
  const values = await listFilterValues(git, present);
  const filtered = new Set(present.filter((_, index) => filters.includes(values[index] ?? "")));
  return {
    kept: entries.filter((entry) => !filtered.has(entry)),
    leftOut: [...filtered].map(({ path }) => ({ path, reason: "behind-a-filter" })),
  };
}

/** The filter that the project's attributes name for each path; `unspecified` if they name none. */
export async function listFilterValues(
  git: PrivateGit,
  entries: readonly StatusEntry[],
): Promise<readonly string[]> {
  if (entries.length === 0) return [];
  const { stdout } = await runGit({
    place: git.place,
    arguments: ["check-attr", "-z", "--stdin", "filter"],
    stdin: joinWithZeros(entries.map(({ path }) => path)),
  });
  return splitAtZeros(stdout)
    .filter((_, index) => index % 3 === 2)
    .map(String);
}

export interface SortRequest {
  readonly workTree: string;
  readonly maxFileBytes: number;
  readonly removed: readonly Buffer[];
  readonly present: readonly Buffer[];
}

export interface Sorted {
  readonly added: readonly Buffer[];
  readonly removed: readonly Buffer[];
  readonly leftOut: readonly LeftOut[];
}

/**
 * Sorts out what git can store: plain files and links. A tracked file that became a pipe or a device counts as
 * removed.
 */
export function sortOutPaths(request: SortRequest): Sorted {
  const added: Buffer[] = [];
  const removed = [...request.removed];
  const leftOut: LeftOut[] = [];
  for (const path of request.present) {
    const stats = readEntryStat(request.workTree, path);
    const reason = reasonAgainst(path, stats, request.maxFileBytes);
    if (reason === undefined) added.push(path);
    else leftOut.push({ path, reason });
    if (reason === "special-file") removed.push(path);
  }
  return { added, removed, leftOut };
}

export function joinWithZeros(paths: readonly Buffer[]): Buffer {
  return Buffer.concat(paths.flatMap((path) => [path, Buffer.alloc(1)]));
}

function reasonAgainst(
  path: Buffer,
  stats: Stats | undefined,
  largestBytes: number,
): LeftOutReason | undefined {
  if (stats === undefined) return "unreadable";
  if (!stats.isFile() && !stats.isSymbolicLink()) return "special-file";
  if (isGitDirectoryPath(path) || (stats.isSymbolicLink() && isModulesPath(path))) return "git-name";
  return stats.size > largestBytes ? "too-large" : undefined;
}

function readEntryStat(workTree: string, path: Buffer): Stats | undefined {
  try {
    return lstatSync(Buffer.concat([Buffer.from(`${workTree}/`), path]), { throwIfNoEntry: false });
  } catch {
    // We may not enter a parent folder.
    return undefined;
  }
}
