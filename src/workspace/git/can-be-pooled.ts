import { runGit, splitZero } from "../git.ts";
import { refPlace, type Repository } from "../repository.ts";
import { readSettings } from "./settings.ts";

/**
 * Whether checkouts of a commit can be used again and again. Submodules keep notes and repositories of their own inside
 * a worktree, and a sparse checkout hides files from the index: neither can be proven clean.
 */
export async function canBePooled(repository: Repository, commit: string): Promise<boolean> {
  const settings = await readSettings(repository);
  if (settings.isSparse || settings.isPartialClone) return false;
  return (await listGitlinks(repository, commit)).length === 0;
}

/** Paths at which a commit names commits of other repositories. */
async function listGitlinks(repository: Repository, commit: string): Promise<readonly Buffer[]> {
  const { stdout } = await runGit({
    place: refPlace(repository),
    arguments: ["ls-tree", "-r", "-z", commit],
  });
  const gitlink = Buffer.from("160000 ");
  return splitZero(stdout)
    .filter((entry) => entry.subarray(0, gitlink.length).equals(gitlink))
    .map((entry) => entry.subarray(entry.indexOf(0x09) + 1));
}
