import { accessSync, constants, existsSync } from "node:fs";
import { refuseWithoutSpace, isNearlyFull } from "../../base/free-space.ts";
import { foldRefs } from "../../workspace/fold-refs.ts";
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
import { readCommittedFile } from "../../workspace/read-file.ts";
import { checkScope } from "../../workspace/scope.ts";
import type { WorkspaceSettings } from "../../workspace/worktree.ts";
import { getTreesDirectory } from "../../project/trees-directory.ts";
import type { GitTools } from "../ports/git-tools.ts";
import { createCheckoutGit } from "./checkout-git.ts";
import { CheckCheckouts } from "./check-checkouts.ts";
import { explainFailure } from "./explain-failure.ts";
import { Imports } from "./imports.ts";
import { type PlaceSettings, WorkPlaces } from "./work-places.ts";

export interface OpenGitTools extends GitTools {
  /** The delegations that have a workspace on this machine, by what is on the disk. */
  listPlaces(): Promise<readonly string[]>;
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
    ...createRoomTools(stateDirectory),
    makePlace: async (request) => {
      refuseWithoutSpace(stateDirectory);
      return places.makePlace(request);
    },
    findPlace: (delegation) => places.findPlace(delegation),
    endImports: (id) => imports.end(id),
    hurryImports: (id) => imports.hurry(id),
    allowImports: (id) => imports.allow(id),
    tidy: (live) => removeDebris(workspaces, live),
    foldRefs: async (story, workers) => void (await foldRefs(repository, { story, workers })),
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
    readFile: (commit, path) => readCommittedFile(repository, commit, path),
    listPlaces: () => listPlaces(workspaces),
    close: async () => {
      await candidates.close();
      await places.closePools();
    },
  };
}

async function listPlaces(workspaces: WorkspaceSettings): Promise<readonly string[]> {
  const none: ReadonlySet<string> = new Set();
  const found = await listOrphans(workspaces, { live: none, known: none });
  return found.flatMap((one) => (one.kind === "workspace" || one.kind === "sandbox" ? [one.id] : []));
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

/** The disks of the state and of the workspaces, and whether work can continue on them. */
function createRoomTools(stateDirectory: string): Pick<GitTools, "isDiskFull" | "requireRoom"> {
  const folders = (): readonly string[] =>
    [stateDirectory, getTreesDirectory(stateDirectory)].filter((folder) => existsSync(folder));
  return {
    requireRoom: () => {
      for (const folder of folders()) {
        refuseWithoutSpace(folder);
        // The kernel answers this with EROFS also to root.
        accessSync(folder, constants.W_OK);
      }
    },
    isDiskFull: () => folders().some(isNearlyFull),
  };
}
