import { storyRefName } from "./branch-names.ts";
import { readRefCommit } from "./git/read-head.ts";
import { findRefOwner, keptRefName, workRefName } from "./git/ref-names.ts";
import { changeRefs, listRefs } from "./git/refs.ts";
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
  const contained = await listContained(repository, tip, patterns);
  const wanted = new Set(workers);
  const lacking = new Set(refs.filter(({ ref }) => !contained.has(ref)).map(({ ref }) => findRefOwner(ref)));
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

async function listContained(
  repository: Repository,
  tip: string,
  patterns: readonly string[],
): Promise<ReadonlySet<string>> {
  const words = ["for-each-ref", "--format=%(refname)%00", `--merged=${tip}`];
  const { stdout } = await runGit({ place: getRefPlace(repository), arguments: [...words, ...patterns] });
  return new Set(splitAtZeros(stdout).map((name) => name.toString("utf8").trim()));
}
