import { refPlace, type Repository } from "../git/repository.ts";
import { runGit } from "../git/run-git.ts";

/** Returns the best common ancestors of two commits; none if their histories are unrelated. */
export async function readMergeBases(
  repository: Repository,
  left: string,
  right: string,
): Promise<readonly string[]> {
  const { stdout } = await runGit({
    place: refPlace(repository),
    arguments: ["merge-base", "--all", left, right],
    accept: [1],
  });
  return stdout
    .toString("latin1")
    .split("\n")
    .filter((line) => line !== "");
}
