import { runGit } from "../git.ts";
import { refPlace, type Repository } from "../repository.ts";

const MOST_COMMITS = 20_000;
const MOST_STEPS = 500;

/**
 * Commits and those they are known to contain: the parents of what we made ourselves, and what git has said before. The
 * answer no is not kept, as fetching the rest of a shallow history may turn it into yes.
 */
const contained = new Map<string, readonly string[]>();

/** Told of every commit we make, so that git need not be asked about it. */
export function noteParents(commit: string, parents: readonly string[]): void {
  const known = contained.get(commit) ?? [];
  contained.set(commit, [...new Set([...known, ...parents])]);
  const oldest = contained.size > MOST_COMMITS ? contained.keys().next().value : undefined;
  if (oldest !== undefined) contained.delete(oldest);
}

/** Whether a commit holds all of another one's history. */
export async function isAncestor(
  repository: Repository,
  ancestor: string,
  descendant: string,
): Promise<boolean> {
  if (isKnownWithin(ancestor, descendant)) return true;
  // History has no circles.
  if (isKnownWithin(descendant, ancestor)) return false;
  const { exitCode } = await runGit({
    place: refPlace(repository),
    arguments: ["merge-base", "--is-ancestor", ancestor, descendant],
    accept: [1],
  });
  if (exitCode === 0) noteParents(descendant, [ancestor]);
  return exitCode === 0;
}

function isKnownWithin(ancestor: string, descendant: string): boolean {
  const seen = new Set([descendant]);
  for (const commit of seen) {
    if (commit === ancestor) return true;
    if (seen.size > MOST_STEPS) return false;
    for (const below of contained.get(commit) ?? []) seen.add(below);
  }
  return false;
}
