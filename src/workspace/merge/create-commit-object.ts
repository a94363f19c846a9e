import type { Repository } from "../git/repository.ts";
import { ambitIdentity, type Person, writeCommit } from "../git/create-tree-commit.ts";

export interface NewCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  /** Seconds since 1970: the same inputs give the same commit, before and after a crash. */
  readonly timeSeconds: number;
  /** The author is Ambit if this is absent. */
  readonly author?: Person;
}

/** Creates a commit object that depends on its inputs alone: repeating the call gives the same id and changes nothing. */
export function createCommitObject(
  repository: Repository,
  { timeSeconds, author = ambitIdentity, ...commit }: NewCommit,
): Promise<string> {
  return writeCommit(repository, { ...commit, author, seconds: Math.floor(timeSeconds), zoneMinutes: 0 });
}
