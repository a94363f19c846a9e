import { captureTree } from "../capture/capture-tree.ts";
import { listUnreachable } from "../capture/worker-commits.ts";
import { createTreeCommit, readCommitTree } from "../git/create-tree-commit.ts";
import { withPrivateGit } from "../git/private-directory.ts";
import { searchWhole } from "../git/put-aside.ts";
import { readRefCommit } from "../git/read-head.ts";
import { workerBranchRef, keptRefName, workRefName } from "../git/ref-names.ts";
import { changeRefs } from "../git/refs.ts";
import type { ProjectContext } from "../git/repository.ts";

/** Moves the branch and the ref of the kept work. Their previous commits stay reachable, merged or not. */
export async function moveTipRefs({ repository }: ProjectContext, id: string, to: string): Promise<void> {
  const refs = [workerBranchRef(id), workRefName(id)];
  const before = await Promise.all(refs.map((ref) => readRefCommit(repository, ref)));
  const known = before.filter((commit) => commit !== undefined && commit !== to);
  const left = await listUnreachable(
    repository,
    to,
    known.filter((commit) => commit !== undefined),
  );
  await changeRefs(repository, [
    ...left.map((commit) => ({ ref: keptRefName(id, commit), to: commit })),
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
 * Saves the files as a killed advance left them under one of our refs. No worker should have used them since; if a worker
 * did, continuing would overwrite its work.
 */
export async function saveMixedFiles(context: ProjectContext, mixture: Mixture): Promise<void> {
  const { repository, stateDirectory } = context;
  const { id, workTree, indexFile, alsoIgnored, to } = mixture;
  const { tree } = await withPrivateGit(
    { repository, stateDirectory, workTree, written: searchWhole(workTree), head: to, alsoIgnored },
    (git) => captureTree({ git, indexFile, tracked: "head", filters: [], nested: "as-files" }),
  );
  if (tree === undefined || tree === (await readCommitTree(repository, to))) return;
  const message = `Files of ${id} while they were brought to ${to}\n`;
  const commit = await createTreeCommit({ repository, tree, parents: [to], message });
  await changeRefs(repository, [{ ref: keptRefName(id, commit), to: commit }]);
}
