import { getRefPlace, type Repository } from "./repository.ts";
import { runGit } from "./run-git.ts";

const MAX_COMMITS = 20_000;
const MAX_STEPS = 500;

interface KnownCommit {
  /** Commits that it contains. */
  readonly below: readonly string[];
  /** Whether all its parents are among them. */
  readonly isComplete: boolean;
}

/**
 * Per repository: commits and the ancestors they are known to contain, from commits we made and earlier answers of
 * git. A negative answer is not kept, because deepening a shallow history may change it.
 */
const contained = new Map<string, Map<string, KnownCommit>>();

/** Records the parents of every commit we make, so that git need not be asked. */
export function recordParents(repository: Repository, commit: string, parents: readonly string[]): void {
  noteBelow(repository, commit, { below: parents, isComplete: true });
}

function noteBelow(repository: Repository, commit: string, { below, isComplete }: KnownCommit): void {
  const commits = getKnownCommits(repository);
  const known = commits.get(commit);
  commits.set(commit, {
    below: [...new Set([...(known?.below ?? []), ...below])],
    isComplete: isComplete || known?.isComplete === true,
  });
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
  if (isKnownOutside(repository, ancestor, descendant)) return false;
  const { exitCode } = await runGit({
    place: getRefPlace(repository),
    arguments: ["merge-base", "--is-ancestor", ancestor, descendant],
    accept: [1],
  });
  if (exitCode === 0) noteBelow(repository, descendant, { below: [ancestor], isComplete: false });
  return exitCode === 0;
}

/** Whether we made the commit or git has told us about it. */
export function isKnownCommit(repository: Repository, commit: string): boolean {
  return getKnownCommits(repository).has(commit);
}

/** Answers without asking git; false if unknown. */
export function isKnownWithin(repository: Repository, ancestor: string, descendant: string): boolean {
  return listKnownWithin(repository, descendant).has(ancestor);
}

/**
 * Whether a commit is known not to be in the history of another one: each way down from that one ends at a commit that is
 * older than the first, because history has no cycles. False if unknown.
 */
function isKnownOutside(repository: Repository, commit: string, descendant: string): boolean {
  const commits = getKnownCommits(repository);
  const older = listKnownWithin(repository, commit);
  const seen = new Set([descendant]);
  for (const at of seen) {
    if (at === commit || seen.size > MAX_STEPS) return false;
    const known = commits.get(at);
    if (older.has(at)) continue;
    if (known?.isComplete !== true) return false;
    for (const below of known.below) seen.add(below);
  }
  return true;
}

function listKnownWithin(repository: Repository, commit: string): ReadonlySet<string> {
  const commits = getKnownCommits(repository);
  const seen = new Set([commit]);
  for (const at of seen) {
    if (seen.size > MAX_STEPS) break;
    for (const below of commits.get(at)?.below ?? []) seen.add(below);
  }
  return seen;
}

/**
 * The newest commit that both histories have, if `theirs` is one or more of our commits in a row on top of a commit of
 * `ours`. Undefined if only git can tell.
 */
export function findKnownBase(
  repository: Repository,
  { ours, theirs }: { readonly ours: string; readonly theirs: string },
): string | undefined {
  const commits = getKnownCommits(repository);
  for (let at = theirs, steps = 0; steps < MAX_STEPS; steps += 1) {
    const known = commits.get(at);
    const [parent, ...others] = known?.isComplete === true ? known.below : [];
    if (parent === undefined || others.length > 0) return undefined;
    if (isKnownWithin(repository, parent, ours))
      return isKnownOutside(repository, at, ours) ? parent : undefined;
    at = parent;
  }
  return undefined;
}

function getKnownCommits({ commonDirectory }: Repository): Map<string, KnownCommit> {
  const found = contained.get(commonDirectory);
  if (found !== undefined) return found;
  const commits = new Map<string, KnownCommit>();
  contained.set(commonDirectory, commits);
  return commits;
}
