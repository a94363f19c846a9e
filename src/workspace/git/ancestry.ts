import { refPlace, type Repository } from "./repository.ts";
import { runGit } from "./run-git.ts";

const MOST_COMMITS = 20_000;
const MOST_STEPS = 500;

/**
 * By repository: commits and those they are known to contain, which are the parents of what we made ourselves and what
 * git has said before. The answer no is not kept, as fetching the rest of a shallow history may turn it into yes.
 */
const contained = new Map<string, Map<string, readonly string[]>>();

/** Told of every commit we make, so that git need not be asked about it. */
export function noteParents(repository: Repository, commit: string, parents: readonly string[]): void {
  const commits = commitsOf(repository);
  commits.set(commit, [...new Set([...(commits.get(commit) ?? []), ...parents])]);
  const oldest = commits.size > MOST_COMMITS ? commits.keys().next().value : undefined;
  if (oldest !== undefined) commits.delete(oldest);
}

/** Whether a commit holds all of another one's history. */
export async function isAncestor(
  repository: Repository,
  ancestor: string,
  descendant: string,
): Promise<boolean> {
  if (isKnownWithin(repository, ancestor, descendant)) return true;
  // History has no circles.
  if (isKnownWithin(repository, descendant, ancestor)) return false;
  const { exitCode } = await runGit({
    place: refPlace(repository),
    arguments: ["merge-base", "--is-ancestor", ancestor, descendant],
    accept: [1],
  });
  if (exitCode === 0) noteParents(repository, descendant, [ancestor]);
  return exitCode === 0;
}

/** One that we made, or that git has told us of. */
export function isKnownCommit(repository: Repository, commit: string): boolean {
  return commitsOf(repository).has(commit);
}

/** Without asking git; false where it is not known. */
export function isKnownWithin(repository: Repository, ancestor: string, descendant: string): boolean {
  const commits = commitsOf(repository);
  const seen = new Set([descendant]);
  for (const commit of seen) {
    if (commit === ancestor) return true;
    if (seen.size > MOST_STEPS) return false;
    for (const below of commits.get(commit) ?? []) seen.add(below);
  }
  return false;
}

function commitsOf({ commonDirectory }: Repository): Map<string, readonly string[]> {
  const found = contained.get(commonDirectory);
  if (found !== undefined) return found;
  const commits = new Map<string, readonly string[]>();
  contained.set(commonDirectory, commits);
  return commits;
}
