import { copyIndex, copySharedIndex, type PrivateGit, readableIndex } from "../git/private-directory.ts";
import { runGit } from "../git/run-git.ts";
import { readStatus, type StatusEntry } from "../git/status.ts";

export interface CompareRequest {
  readonly git: PrivateGit;
  /** Describes the work tree; read, never written. */
  readonly indexFile: string;
  /**
   * Which files are tracked: those in the index, or those in HEAD, where the index is ours and knows nothing of the
   * commits that were made since.
   */
  readonly tracked: "index" | "head";
}

export interface Comparison {
  readonly entries: readonly StatusEntry[];
  /** The throw-away folder holds the index that was compared with. */
  readonly hasNewIndex: boolean;
}

/**
 * What differs between a work tree and HEAD. An ignored file that was committed all the same is neither in an older
 * index nor listed as untracked: without the second look it would count as removed.
 */
export async function compareTree({ git, indexFile, tracked }: CompareRequest): Promise<Comparison> {
  if (tracked === "index") return compareCopy(git, indexFile);
  const entries = await readStatus({ ...git.place, indexFile: readableIndex(git, indexFile) });
  if (!entries.some((entry) => entry.isIndexChanged)) return { entries, hasNewIndex: false };
  const place = { ...git.place, indexFile: copyIndex(git, indexFile) };
  await runGit({ place, arguments: ["read-tree", "--reset", "HEAD"] });
  return { entries: await readStatus(place), hasNewIndex: true };
}

/** The user's git may write its index at any moment; what is compared must be what is used afterwards. */
async function compareCopy(git: PrivateGit, indexFile: string): Promise<Comparison> {
  copySharedIndex(git, indexFile);
  const place = { ...git.place, indexFile: copyIndex(git, indexFile) };
  return { entries: await readStatus(place), hasNewIndex: true };
}
