import { captureTree } from "../capture/capture-tree.ts";
import { notReachableFrom } from "../capture/worker-commits.ts";
import { commitTree, readTreeOf } from "../git/commit-tree.ts";
import { withPrivateGit } from "../git/private-directory.ts";
import { readRef } from "../git/read-head.ts";
import { branchRefOf, keptRefOf, workRefOf } from "../git/ref-names.ts";
import { changeRefs } from "../git/refs.ts";
import type { ProjectContext } from "../git/repository.ts";

/** Moves the branch and the ref of the kept work. Their previous commits stay reachable, merged or not. */
export async function moveTips({ repository }: ProjectContext, id: string, to: string): Promise<void> {
  const refs = [branchRefOf(id), workRefOf(id)];
  const before = await Promise.all(refs.map((ref) => readRef(repository, ref)));
  const known = before.filter((commit) => commit !== undefined && commit !== to);
  const left = await notReachableFrom(
    repository,
    to,
    known.filter((commit) => commit !== undefined),
  );
  await changeRefs(repository, [
    ...left.map((commit) => ({ ref: keptRefOf(id, commit), to: commit })),
    ...refs.map((ref) => ({ ref, to })),
  ]);
}

export interface Mixture {
  readonly id: string;
  readonly workTree: string;
  readonly indexFile: string;
  readonly alsoIgnored: readonly string[];
  readonly to: string;
}

/**
 * Saves the files as a killed advance left them under one of our refs. No worker should have used them since; if one
 * did, continuing would overwrite its work.
 */
export async function keepMixture(context: ProjectContext, mixture: Mixture): Promise<void> {
  const { repository, stateDirectory } = context;
  const { id, workTree, indexFile, alsoIgnored, to } = mixture;
  const { tree } = await withPrivateGit(
    { repository, stateDirectory, workTree, head: to, alsoIgnored },
    (git) => captureTree({ git, indexFile, tracked: "head", filters: [], nested: "as-files" }),
  );
  if (tree === undefined || tree === (await readTreeOf(repository, to))) return;
  const message = `Files of ${id} while they were brought to ${to}\n`;
  const commit = await commitTree({ repository, tree, parents: [to], message });
  await changeRefs(repository, [{ ref: keptRefOf(id, commit), to: commit }]);
}
