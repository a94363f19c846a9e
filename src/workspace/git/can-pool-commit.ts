import { ObjectFacts } from "./object-facts.ts";
import { readChangedFiles } from "./read-changes.ts";
import { getRefPlace, type Repository } from "./repository.ts";
import { runGit, splitAtZeros } from "./run-git.ts";
import { readSettings } from "./settings.ts";

const withGitlinks = new ObjectFacts<boolean>(1000);
/** Per repository, the last commit whose whole tree was searched and has no gitlinks. */
const lastWithout = new Map<string, string>();
const GITLINK = "160000";

/**
 * Whether checkouts of a commit can be reused. Submodules keep metadata and repositories inside a worktree, and a
 * sparse checkout hides files from the index: neither can be proven clean.
 */
export async function canPoolCommit(repository: Repository, commit: string): Promise<boolean> {
  const settings = await readSettings(repository);
  if (settings.isSparse || settings.isPartialClone) return false;
  return !(await withGitlinks.askOnce(repository, [commit], () => containsGitlinks(repository, commit)));
}

/**
 * Whether a commit refers to commits of other repositories. Looking only at the difference from a commit without any
 * is faster.
 */
async function containsGitlinks(repository: Repository, commit: string): Promise<boolean> {
  const other = lastWithout.get(repository.commonDirectory);
  const changes =
    other === undefined
      ? undefined
      : await readChangedFiles(repository, other, commit).catch(() => undefined);
  if (changes !== undefined) return changes.some(({ newMode }) => newMode === GITLINK);
  const { stdout } = await runGit({
    place: getRefPlace(repository),
    arguments: ["ls-tree", "-r", "-z", commit],
  });
  const gitlink = Buffer.from(`${GITLINK} `);
  const isFound = splitAtZeros(stdout).some((entry) => entry.subarray(0, gitlink.length).equals(gitlink));
  if (!isFound) lastWithout.set(repository.commonDirectory, commit);
  return isFound;
}
