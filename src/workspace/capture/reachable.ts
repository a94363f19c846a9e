import { runGit } from "../git.ts";
import { listRefs } from "../git/refs.ts";
import { baseRefOf, workRefOf } from "../names.ts";
import { refPlace, type Repository } from "../repository.ts";

/** One of the commits that no ref we keep for a delegation leads to, or undefined. All of them are in the repository. */
export async function firstUnreachable(
  repository: Repository,
  id: string,
  commits: readonly string[],
): Promise<string | undefined> {
  if (commits.length === 0) return undefined;
  const kept = await listRefs(repository, [baseRefOf(id), workRefOf(id), `refs/ambit/kept/${id}`]);
  const { stdout } = await runGit({
    place: refPlace(repository),
    arguments: ["rev-list", "--max-count=1", "--stdin"],
    stdin: [...commits, ...kept.map(({ commit }) => `^${commit}`)].map((word) => `${word}\n`).join(""),
  });
  const found = stdout.toString("latin1").trim();
  return found === "" ? undefined : found;
}
