import { refuseWithoutSpace } from "../../base/free-space.ts";
import { beginTree } from "../../workspace/begin-tree.ts";
import { readOutsideState } from "../../workspace/outside-state.ts";
import { checkRepository, missingContentKinds } from "../../workspace/preflight.ts";
import { formatFileName, type Snapshot, takeSnapshot, userCheckout } from "../../workspace/snapshot.ts";
import type { WorkspaceSettings } from "../../workspace/worktree.ts";
import type { GitTools, TakenSnapshot } from "../ports/git-tools.ts";

/** Asks git about one checkout of the user. */
export function createCheckoutGit(
  workspaces: WorkspaceSettings,
): Pick<GitTools, "inspect" | "snapshot" | "readOutside"> {
  const { repository, stateDirectory } = workspaces;
  return {
    inspect: async () => {
      const { host, workTree } = repository;
      refuseWithoutSpace(stateDirectory);
      const { refusals, notes } = await checkRepository({ directory: workTree, host, stateDirectory });
      return {
        refusal: refusals[0],
        notes: notes.map(({ message }) => message),
        missing: notes.filter(({ kind }) => missingContentKinds.has(kind)).map(({ message }) => message),
      };
    },
    readOutside: () => readOutsideState(repository),
    snapshot: async (id, { isShown } = { isShown: false }) => {
      if (isShown) beginTree(workspaces);
      const checkout = userCheckout(repository);
      return describeSnapshot(await takeSnapshot({ repository, stateDirectory, id, checkout }));
    },
  };
}

const MAX_LEFT_OUT = 100;

function describeSnapshot({ commit, hasUncommittedWork, head, counts, leftOut }: Snapshot): TakenSnapshot {
  const named = leftOut.slice(0, MAX_LEFT_OUT);
  const paths = named.map(({ path, reason }) => ({ path: formatFileName(path), reason }));
  return { commit, hasUncommittedWork, start: { head, ...counts, leftOut: paths } };
}
