import { getRefPlace, type Repository } from "./repository.ts";
import { runGit } from "./run-git.ts";

const MAX_COMMITS = 20_000;
const MAX_STEPS = 500;

/**
 * Per repository: commits and the ancestors they are known to contain, from commits we made and earlier answers of
 * git. A negative answer is not kept, because deepening a shallow history may change it.
 */
const contained = new Map<string, Map<string, readonly string[]>>();

/** Records the parents of every commit we make, so that git need not be asked. */
export function recordParents(repository: Repository, commit: string, parents: readonly string[]): void {
  const commits = getKnownCommits(repository);
  commits.set(commit, [...new Set([...(commits.get(commit) ?? []), ...parents])]);
  const oldest = commits.size > MAX_COMMITS ? commits.keys().next().value : undefined;
  if (oldest !== undefined) commits.delete(oldest);
}

/** Whether a commit contains the whole history of another one. */
export async function isAncestor(
  repository: Repository,
  ancestor: string,
  descendant: string,
): Promise<boolean> {
  if (isKnownWithin(repository, ancestor, descendant)) return true;
  // History has no cycles.
  if (isKnownWithin(repository, descendant, ancestor)) return false;
  const { exitCode } = await runGit({
    place: getRefPlace(repository),
    arguments: ["merge-base", "--is-ancestor", ancestor, descendant],
    accept: [1],
  });
  if (exitCode === 0) recordParents(repository, descendant, [ancestor]);
  return exitCode === 0;
}

/** Whether we made the commit or git has told us about it. */
export function isKnownCommit(repository: Repository, commit: string): boolean {
  return getKnownCommits(repository).has(commit);
}

/** Answers without asking git; false if unknown. */
export function isKnownWithin(repository: Repository, ancestor: string, descendant: string): boolean {
  const commits = getKnownCommits(repository);
  const seen = new Set([descendant]);
  for (const commit of seen) {
    if (commit === ancestor) return true;
    if (seen.size > MAX_STEPS) return false;
    for (const below of commits.get(commit) ?? []) seen.add(below);
  }
  return false;
}

function getKnownCommits({ commonDirectory }: Repository): Map<string, readonly string[]> {
  const found = contained.get(commonDirectory);
  if (found !== undefined) return found;
  const commits = new Map<string, readonly string[]>();
  contained.set(commonDirectory, commits);
  return commits;
}
