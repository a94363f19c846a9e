import type { Prd } from "../../contract/story.ts";
import { moveBranch } from "../../workspace/merge.ts";
import { readBranchCommit } from "../../workspace/look-up.ts";
import type { Repository } from "../../workspace/repository.ts";
import type { ProvenTip } from "./known-runs.ts";

export interface NamedBranch {
  /** Where all proven work of the file is. */
  readonly branch: string | null;
  readonly warning?: string;
}

/** Git allows these characters in no branch name. */
const NEVER_IN_A_NAME = /[\s~^:?*[\\\p{Cc}]|\.\.|@\{|\/\/|^[-/]|[/.]$|\.lock$/u;

/**
 * Lets the branch that the file names (`branchName`) stand at the proven work. Only a branch that is new, or that stood
 * at earlier work of the same file, is moved: every other one is the person's.
 */
export async function nameBranch(
  repository: Repository,
  { branchName }: Prd,
  tips: readonly ProvenTip[],
): Promise<NamedBranch> {
  const last = tips.at(-1);
  if (last === undefined) return { branch: null };
  const own = `ambit/${last.run}`;
  if (branchName === undefined) return { branch: own };
  if (NEVER_IN_A_NAME.test(branchName))
    return { branch: own, warning: `branchName ${JSON.stringify(branchName)} is not a name for a branch` };
  const ref = `refs/heads/${branchName}`;
  const from = await readBranchCommit(repository, ref);
  if (from !== null && !tips.some(({ commit }) => commit === from))
    return {
      branch: own,
      warning: `${branchName} has other work on it and was not moved; the work is on ${own}`,
    };
  const moved = await moveBranch(repository, { ref, from, to: last.commit });
  if (moved === "moved" || moved === "already") return { branch: branchName };
  return { branch: own, warning: `${branchName} could not be moved (${moved}); the work is on ${own}` };
}
