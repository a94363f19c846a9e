import { isKnownWithin } from "../git/ancestry.ts";
import { readRefCommit } from "../git/read-head.ts";
import { baseRefName, workRefName } from "../git/ref-names.ts";
import { listRefs } from "../git/refs.ts";
import { getRefPlace, type Repository } from "../git/repository.ts";
import { runGit } from "../git/run-git.ts";

/**
 * Returns a commit that none of our refs for a delegation leads to, or undefined. All the commits are in the
 * repository.
 */
export async function findUnreachable(
  repository: Repository,
  id: string,
  commits: readonly string[],
): Promise<string | undefined> {
  const doubtful = await listUnknownCommits(repository, id, commits);
  if (doubtful.length === 0) return undefined;
  const kept = await listRefs(repository, [baseRefName(id), workRefName(id), `refs/ambit/kept/${id}`]);
  const { stdout } = await runGit({
    place: getRefPlace(repository),
    arguments: ["rev-list", "--max-count=1", "--stdin"],
    stdin: [...doubtful, ...kept.map(({ commit }) => `^${commit}`)].map((word) => `${word}\n`).join(""),
  });
  const found = stdout.toString("latin1").trim();
  return found === "" ? undefined : found;
}

/** We created and named most commits ourselves; for those, checking the ref is enough. */
async function listUnknownCommits(
  repository: Repository,
  id: string,
  commits: readonly string[],
): Promise<readonly string[]> {
  if (commits.length === 0) return [];
  const refs = await Promise.all(
    [workRefName(id), baseRefName(id)].map((ref) => readRefCommit(repository, ref)),
  );
  const kept = refs.filter((commit) => commit !== undefined);
  return commits.filter((commit) => !kept.some((tip) => isKnownWithin(repository, commit, tip)));
}
