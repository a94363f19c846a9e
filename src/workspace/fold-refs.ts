import { storyRefName } from "./branch-names.ts";
import { isAncestor } from "./git/ancestry.ts";
import { readRefCommit } from "./git/read-head.ts";
import { findRefOwner, keptRefName, workRefName } from "./git/ref-names.ts";
import { changeRefs, listRefs, type NamedRef } from "./git/refs.ts";
import { getRefPlace, type Repository } from "./git/repository.ts";
import { runGit, splitAtZeros } from "./git/run-git.ts";

/**
 * Removes the refs of a story's workers whose commits the story's branch contains: one ref of ours keeps all of them,
 * also if the branch is deleted. A worker with commits that the branch lacks keeps its refs. Returns how many were
 * removed.
 */
export async function foldRefs(
  repository: Repository,
  { story, workers }: { readonly story: string; readonly workers: readonly string[] },
): Promise<number> {
  const tip = workers.length === 0 ? undefined : await readRefCommit(repository, storyRefName(story));
  if (tip === undefined) return 0;
  const patterns = ["base", "work", "integration"].map((kind) => `refs/ambit/${kind}/${story}-*`);
  const refs = await listRefs(repository, patterns);
  const wanted = new Set(workers);
  const lacking = await findLacking(repository, refs, { tip, patterns });
  const removed = refs.filter(({ ref }) => {
    const owner = findRefOwner(ref);
    return owner !== undefined && wanted.has(owner) && !lacking.has(owner);
  });
  if (removed.length === 0) return 0;
  const isKept = (await readRefCommit(repository, workRefName(story))) === tip;
  await changeRefs(repository, [
    ...(isKept ? [] : [{ ref: keptRefName(story, tip), to: tip }]),
    ...removed.map(({ ref, commit }) => ({ ref, to: undefined, from: commit })),
  ]);
  return removed.length;
}

interface StoryBranch {
  readonly tip: string;
  readonly patterns: readonly string[];
}

/** The workers with a commit that the branch of their story does not contain. */
async function findLacking(
  repository: Repository,
  refs: readonly NamedRef[],
  { tip, patterns }: StoryBranch,
): Promise<ReadonlySet<string | undefined>> {
  const contained = await listContained(repository, tip, patterns);
  const lacking = new Set<string | undefined>();
  // That list misses commits that are later than merges above them, and the time of a merge is that of an admission.
  for (const { ref, commit } of refs)
    if (!contained.has(ref) && !(await isAncestor(repository, commit, tip))) lacking.add(findRefOwner(ref));
  return lacking;
}

async function listContained(
  repository: Repository,
  tip: string,
  patterns: readonly string[],
): Promise<ReadonlySet<string>> {
  const words = ["for-each-ref", "--format=%(refname)%00", `--merged=${tip}`];
  const { stdout } = await runGit({ place: getRefPlace(repository), arguments: [...words, ...patterns] });
  return new Set(splitAtZeros(stdout).map((name) => name.toString("utf8").trim()));
}
