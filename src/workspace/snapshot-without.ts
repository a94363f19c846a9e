import { createTreeCommit, readCommitTree } from "./git/create-tree-commit.ts";
import { withPrivateGit, type PrivateGit } from "./git/private-directory.ts";
import { readGitLine, runGit, splitAtZeros } from "./git/run-git.ts";
import { recordSnapshot, takeSnapshot, type SnapshotRequest } from "./snapshot.ts";

export interface PartialSnapshot {
  readonly commit: string;
  readonly hasUncommittedWork: boolean;
}

/**
 * Takes a snapshot in which some files are as last committed, whatever the person has changed in them since. Otherwise
 * files that the runtime itself writes would travel with a worker's work and conflict on the way back.
 */
export async function takeSnapshotWithout(
  request: SnapshotRequest,
  paths: readonly string[],
): Promise<PartialSnapshot> {
  const { repository, stateDirectory, checkout } = request;
  const { commit, head, hasUncommittedWork } = await takeSnapshot(request);
  if (!hasUncommittedWork || paths.length === 0) return { commit, hasUncommittedWork };
  const options = { repository, stateDirectory, workTree: checkout.workTree, head };
  const tree = await withPrivateGit(options, (git) => restorePaths(git, { commit, head, paths }));
  if (tree === (await readCommitTree(repository, head))) return { commit: head, hasUncommittedWork: false };
  if (tree === (await readCommitTree(repository, commit))) return { commit, hasUncommittedWork };
  const message = `Uncommitted work at the start of ${request.id}\n`;
  const partial = await createTreeCommit({ repository, tree, parents: [head], message });
  await recordSnapshot(repository, request.id, partial);
  return { commit: partial, hasUncommittedWork };
}

interface Restoring {
  readonly commit: string;
  readonly head: string;
  readonly paths: readonly string[];
}

/** Returns the tree of one commit with some paths taken from another. */
async function restorePaths({ place }: PrivateGit, { commit, head, paths }: Restoring): Promise<string> {
  await runGit({ place, arguments: ["read-tree", commit] });
  const listed = await runGit({
    place,
    arguments: ["--literal-pathspecs", "ls-tree", "-rz", "--full-tree", head, "--", ...paths],
  });
  await runGit({
    place,
    arguments: ["--literal-pathspecs", "rm", "-rqf", "--cached", "--ignore-unmatch", "--", ...paths],
  });
  const entries = splitAtZeros(listed.stdout).map((entry) => Buffer.concat([entry, Buffer.from([0])]));
  await runGit({ place, arguments: ["update-index", "-z", "--index-info"], stdin: Buffer.concat(entries) });
  return readGitLine({ place, arguments: ["write-tree"] });
}
