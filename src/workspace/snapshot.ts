import { isAbsolute, join, relative } from "node:path";
import { systemClock } from "../base/clock.ts";
import { workspaceErrors } from "../errors/workspace.ts";
import { captureTree, type ChangeCounts } from "./capture/capture-tree.ts";
import type { LeftOut } from "./capture/sort-out.ts";
import { createTreeCommit, readCommitTree } from "./git/create-tree-commit.ts";
import { buildIgnorePattern } from "./git/ignore-pattern.ts";
import { withPrivateGit } from "./git/private-directory.ts";
import { readCheckoutHead } from "./git/read-head.ts";
import { baseRefName, checkWorkspaceId, snapshotRefName } from "./git/ref-names.ts";
import { changeRefs } from "./git/refs.ts";
import type { Repository } from "./git/repository.ts";
import { readSettings } from "./git/settings.ts";

export type { LeftOut } from "./capture/sort-out.ts";
export { formatBytePath as formatFileName } from "./git/format-byte-path.ts";

/** The checkout whose current state a worker starts from. */
export interface Checkout {
  readonly workTree: string;
  /** The folder that contains its HEAD. */
  readonly adminDirectory: string;
  readonly indexFile: string;
}

export interface SnapshotRequest {
  readonly repository: Repository;
  readonly stateDirectory: string;
  /** The delegation the snapshot is for. */
  readonly id: string;
  readonly checkout: Checkout;
  /** If false, no ref keeps the commit, and git removes it some weeks later. */
  readonly isKept?: boolean;
  readonly maxFileBytes?: number;
}

export interface Snapshot {
  /** The commit a worker starts from. */
  readonly commit: string;
  readonly head: string;
  readonly branch: string | undefined;
  /** The commit holds work that the user had not committed; the worker must know. */
  readonly hasUncommittedWork: boolean;
  /** Files with conflict markers. */
  readonly conflicted: number;
  /** How many of the user's files differ from HEAD in it. */
  readonly counts: ChangeCounts;
  /** Uncommitted files that were left out, with the reason. */
  readonly leftOut: readonly LeftOut[];
}

/** A larger file is not source code; storing it would bloat the user's repository. */
const MAX_FILE_BYTES = 50 * 1024 * 1024;

/**
 * Saves the current state of a checkout, including uncommitted and untracked work, as a commit kept by
 * `refs/ambit/base/<id>`. A clean checkout gives its HEAD, with one git call. Checkout, index, stash and branches are
 * only read.
 */
export async function takeSnapshot(request: SnapshotRequest): Promise<Snapshot> {
  const { repository, checkout } = request;
  checkWorkspaceId(request.id);
  const head = await readCheckoutHead(repository, checkout.adminDirectory);
  if (head.commit === undefined) throw workspaceErrors.unbornHead(checkout.workTree, head.ref);
  const settings = await readSettings(repository);
  const { tree, conflicted, counts, leftOut } = await withPrivateGit(
    {
      repository,
      stateDirectory: request.stateDirectory,
      workTree: checkout.workTree,
      head: head.commit,
      alsoIgnored: ignoredFolders(request),
    },
    (git) =>
      captureTree({
        git,
        indexFile: checkout.indexFile,
        tracked: "index",
        maxFileBytes: request.maxFileBytes ?? MAX_FILE_BYTES,
        filters: settings.filters,
        nested: "leave-out",
        isPublicOnly: true,
      }),
  );
  const state = await commitUnlessClean(request, head.commit, tree);
  return { ...state, head: head.commit, branch: shortBranchName(head.ref), conflicted, counts, leftOut };
}

/** The user's own checkout. */
export function userCheckout(repository: Repository): Checkout {
  const { workTree, gitDirectory } = repository;
  return { workTree, adminDirectory: gitDirectory, indexFile: join(gitDirectory, "index") };
}

async function commitUnlessClean(
  request: SnapshotRequest,
  head: string,
  tree: string | undefined,
): Promise<Pick<Snapshot, "commit" | "hasUncommittedWork">> {
  const { repository, id } = request;
  if (tree === undefined || tree === (await readCommitTree(repository, head)))
    return { commit: head, hasUncommittedWork: false };
  const message = `Uncommitted work at the start of ${id}\n`;
  const commit = await createTreeCommit({ repository, tree, parents: [head], message });
  if (request.isKept !== false) {
    await changeRefs(repository, [{ ref: baseRefName(id), to: commit }]);
    await recordSnapshot(repository, id, commit);
  }
  return { commit, hasUncommittedWork: true };
}

/** `ambit merge` reads these snapshots, so that it never commits work that the user has not committed. */
export function recordSnapshot(repository: Repository, id: string, commit: string): Promise<void> {
  return changeRefs(repository, [{ ref: snapshotRefName(id, systemClock.wallMs(), commit), to: commit }]);
}

/** Our own state is never part of a snapshot, even if the project's ignore file is missing. */
function ignoredFolders({ checkout, stateDirectory }: SnapshotRequest): readonly string[] {
  const inside = relative(checkout.workTree, stateDirectory);
  const isInside = inside !== "" && !inside.startsWith("..") && !isAbsolute(inside);
  return isInside ? [`${buildIgnorePattern(inside)}/`] : [];
}

function shortBranchName(ref: string | undefined): string | undefined {
  return ref?.slice("refs/heads/".length);
}
