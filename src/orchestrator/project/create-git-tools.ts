import { refuseWithoutSpace } from "../../base/free-space.ts";
import {
  findConflictMarkers,
  probeCommittedPaths,
  readBranchCommit,
  readTreeId,
} from "../../workspace/look-up.ts";
import { commitCandidate, isMerged, mergeTips, moveBranch } from "../../workspace/merge.ts";
import { listOrphans, type Orphan } from "../../workspace/orphans.ts";
import { removeOrphan } from "../../workspace/remove-orphan.ts";
import { agentSettingsPaths } from "../../agents/agent-programs.ts";
import { checkScope } from "../../workspace/scope.ts";
import type { WorkspaceSettings } from "../../workspace/worktree.ts";
import type { GitTools } from "../ports/git-tools.ts";
import { createCheckoutGit } from "./checkout-git.ts";
import { CheckCheckouts } from "./check-checkouts.ts";
import { explainFailure } from "./explain-failure.ts";
import { Imports } from "./imports.ts";
import { type PlaceSettings, WorkPlaces } from "./work-places.ts";

export interface OpenGitTools extends GitTools {
  close(): Promise<void>;
}

/** The real git of one project. */
export function createGitTools(workspaces: WorkspaceSettings, settings: PlaceSettings): OpenGitTools {
  const { repository, stateDirectory } = workspaces;
  const imports = new Imports();
  const places = new WorkPlaces(workspaces, settings, imports);
  const candidates = new CheckCheckouts(workspaces, settings.findRecipe);
  return {
    ...createCheckoutGit(workspaces),
    makePlace: async (request) => {
      refuseWithoutSpace(stateDirectory);
      return places.makePlace(request);
    },
    findPlace: (delegation) => places.findPlace(delegation),
    endImports: (id) => imports.end(id),
    hurryImports: (id) => imports.hurry(id),
    allowImports: (id) => imports.allow(id),
    tidy: (live) => removeDebris(workspaces, live),
    readBranch: (ref) => readBranchCommit(repository, ref),
    contains: (commit, ancestor) => isMerged(repository, { tip: ancestor, into: commit }),
    merge: (ours, theirs, mergeBase) => mergeTips(workspaces, { ours, theirs, mergeBase }),
    commit: (request) => commitCandidate(repository, request),
    treeOf: (commit) => readTreeId(repository, commit),
    moveBranch: async (move) => {
      const moved = await moveBranch(repository, move);
      const isReadyAhead =
        move.holdsSandboxedWork !== true || (await settings.findRecipe()).setUp === undefined;
      if (moved === "moved" && isReadyAhead) places.expectWorkers(move.to);
      return moved;
    },
    checkOut: candidates.checkOut,
    explainFailure: async (failed, story) => explainFailure(await settings.findRecipe(story), failed),
    judgeScope: (question) => checkScope(repository, { ...question, agentSettings: agentSettingsPaths }),
    findMarkers: (commit, paths) => findConflictMarkers(repository, commit, paths),
    probeFiles: (commit, paths) => probeCommittedPaths(repository, commit, paths),
    close: async () => {
      await candidates.close();
      await places.closePools();
    },
  };
}

/** These never hold work, whichever process made them. `ambit doctor` judges branches and refs, by the journal. */
const removableKinds: ReadonlySet<Orphan["kind"]> = new Set([
  "half-made",
  "scratch",
  "worktree-entry",
  "ref-lock",
  "mount",
]);

async function removeDebris(workspaces: WorkspaceSettings, live: ReadonlySet<string>): Promise<void> {
  for (const orphan of await listOrphans(workspaces, { live, known: live }))
    if (removableKinds.has(orphan.kind)) await removeOrphan(workspaces, orphan);
}
