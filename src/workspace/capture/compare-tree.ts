import {
  copyPrivateIndex,
  copySharedIndex,
  type PrivateGit,
  findReadableIndex,
} from "../git/private-directory.ts";
import { runGit } from "../git/run-git.ts";
import { readGitStatus, type StatusEntry } from "../git/status.ts";

export interface CompareRequest {
  readonly git: PrivateGit;
  /** Describes the work tree. It is only read. */
  readonly indexFile: string;
  /**
   * Decides which files are tracked: those in the index, or those in HEAD if the index is ours and older than later
   * commits.
   */
  readonly tracked: "index" | "head";
  /** The paths at which they can differ, if that is known; a folder covers everything below it. */
  readonly paths?: readonly string[] | undefined;
}

export interface Comparison {
  readonly entries: readonly StatusEntry[];
  /** Whether the temporary folder holds the index that was compared. */
  readonly hasNewIndex: boolean;
}

/**
 * Lists the differences between a work tree and HEAD. A file that is ignored but committed is neither in an older index
 * nor listed as untracked; without the second comparison it would count as removed.
 */
export async function compareWithHead(request: CompareRequest): Promise<Comparison> {
  const { git, indexFile, tracked, paths } = request;
  if (tracked === "index") return compareIndexCopy(git, indexFile);
  if (paths?.length === 0) return { entries: [], hasNewIndex: false };
  const entries = await readGitStatus({ ...git.place, indexFile: findReadableIndex(git, indexFile) }, paths);
  if (!entries.some((entry) => entry.isIndexChanged)) return { entries, hasNewIndex: false };
  const place = { ...git.place, indexFile: copyPrivateIndex(git, indexFile) };
  await runGit({ place, arguments: ["read-tree", "--reset", "HEAD"] });
  return { entries: await readGitStatus(place), hasNewIndex: true };
}

/** The user's git may write its index at any moment, so we compare and use the same copy. */
async function compareIndexCopy(git: PrivateGit, indexFile: string): Promise<Comparison> {
  copySharedIndex(git, indexFile);
  const place = { ...git.place, indexFile: copyPrivateIndex(git, indexFile) };
  return { entries: await readGitStatus(place), hasNewIndex: true };
}
