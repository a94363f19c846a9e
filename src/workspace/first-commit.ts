import { readCheckoutHead } from "./git/read-head.ts";
import { getRefPlace, type Repository } from "./git/repository.ts";
import { runGit } from "./git/run-git.ts";

/**
 * The commit that the checked-out history begins with: the same in every clone of it. If there are several, the smallest
 * id. Undefined if there is no commit, or if a shallow clone does not have the beginning.
 */
export async function findFirstCommit(repository: Repository): Promise<string | undefined> {
  if (repository.isShallow) return undefined;
  const { commit: head } = await readCheckoutHead(repository, repository.gitDirectory);
  if (head === undefined) return undefined;
  const { stdout } = await runGit({
    place: getRefPlace(repository),
    arguments: ["rev-list", "--max-parents=0", head, "--"],
  });
  return stdout.toString("utf8").split("\n").filter(Boolean).toSorted()[0];
}
