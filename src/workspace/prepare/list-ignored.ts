import { join } from "node:path";
import { findReadableIndex, withPrivateGit } from "../git/private-directory.ts";
import type { ProjectContext } from "../git/repository.ts";
import { runGit, splitAtZeros } from "../git/run-git.ts";

/**
 * Lists untracked files of the user's checkout that patterns match, as `ls-files` understands them (`--exclude=…`,
 * `--exclude-standard`, `--directory`). Names that are not UTF-8 are left out.
 */
export async function listIgnored(
  { repository, stateDirectory }: ProjectContext,
  patterns: readonly string[],
): Promise<readonly string[]> {
  const { stdout } = await withPrivateGit(
    { repository, stateDirectory, workTree: repository.workTree, head: "0".repeat(40) },
    (git) =>
      runGit({
        place: { ...git.place, indexFile: findReadableIndex(git, join(repository.gitDirectory, "index")) },
        arguments: ["ls-files", "-z", "--others", "--ignored", ...patterns],
      }),
  );
  return splitAtZeros(stdout)
    .map((name) => name.toString("utf8"))
    .filter((name) => !name.includes("\uFFFD"));
}
