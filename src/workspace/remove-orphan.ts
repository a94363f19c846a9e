import { lstatSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathExists } from "../base/files.ts";
import { isStillRunning } from "../containment/process-identity.ts";
import { moveToTrash } from "./files/move-to-trash.ts";
import { getStateFolders } from "./files/state-folders.ts";
import { readRefCommit } from "./git/read-head.ts";
import { baseRefName, workerBranchRef } from "./git/ref-names.ts";
import { changeRefs } from "./git/refs.ts";
import { getRefPlace, type Repository, type ProjectContext } from "./git/repository.ts";
import { runGit } from "./git/run-git.ts";
import type { Orphan } from "./orphans.ts";
import { ensureMounted } from "./prepare/layers.ts";
import { unmountBelow } from "./prepare/overlay.ts";
import { releasePorts } from "./prepare/ports.ts";
import type { SlotOptions } from "./prepare/slot-options.ts";
import { findClaimedSlot, listSlots } from "./records/record.ts";
import { discardSlot, retireSlot } from "./slots/prepare-slot.ts";
import { proveRelease } from "./slots/prove-release.ts";
import { unregisterWorktree } from "./slots/register.ts";
import { buildSlotOptions, type WorkspaceSettings } from "./worktree.ts";
import { sandboxFolders } from "./sandbox/folders.ts";
import { areCommitsKept, listUnkeptFiles } from "./sandbox/is-all-kept.ts";
import { readSandboxRecord } from "./sandbox/record.ts";

const NO_OBJECT = 128;

/**
 * Removes an orphan that provably holds no work. False if a person must look at it, or if it must be imported and
 * released first.
 */
export async function removeOrphan(settings: WorkspaceSettings, orphan: Orphan): Promise<boolean> {
  if (!(await isRemovable(settings, orphan, "saved"))) return false;
  await remove(buildSlotOptions(settings), orphan);
  return true;
}

/** Whether it would be removed, once the files left in it have been imported; changes nothing. */
export function wouldRemoveOrphan(settings: WorkspaceSettings, orphan: Orphan): Promise<boolean> {
  return isRemovable(settings, orphan, "importable");
}

async function isRemovable(
  settings: WorkspaceSettings,
  orphan: Orphan,
  work: "importable" | "saved",
): Promise<boolean> {
  const options = buildSlotOptions(settings);
  switch (orphan.kind) {
    case "ref":
      return false;
    case "workspace":
      return isReleasable(options, orphan, work);
    case "sandbox":
      return holdsNoWork(options, orphan.id);
    case "unknown-folder":
      return isEmptyPlace(options, orphan.path);
    case "branch":
      return isCommitKept(options.repository, orphan.commit);
    default:
      return true;
  }
}

async function remove(options: SlotOptions, orphan: Orphan): Promise<void> {
  const { repository, stateDirectory } = options;
  switch (orphan.kind) {
    case "ref":
      return;
    case "workspace":
      return releaseSaved(options, orphan.id);
    case "sandbox":
      moveToTrash(getStateFolders(stateDirectory).trash, orphan.path);
      return dropIdleBranch(repository, orphan.id);
    case "unknown-folder":
      return removeEmptyPlace(options, orphan.path);
    case "branch":
      return changeRefs(repository, [{ ref: orphan.ref, to: undefined, from: orphan.commit }]);
    case "half-made": {
      const slot = listSlots(stateDirectory).find(({ record }) => record.name === orphan.name);
      if (slot !== undefined) await discardSlot(options, slot.record);
      return;
    }
    case "worktree-entry":
      await unregisterWorktree({ repository, stateDirectory, path: orphan.path });
      return;
    case "ref-lock":
      return rmSync(orphan.path, { force: true });
    case "scratch":
      await unmountBelow(repository.host.searchPath, orphan.path);
      // A git process that outlived its killed caller may still be writing there.
      if (pathExists(orphan.path)) moveToTrash(getStateFolders(stateDirectory).trash, orphan.path);
      return;
    case "mount":
      await unmountBelow(repository.host.searchPath, orphan.path);
      return;
    case "port-claim":
      return releasePorts(options.portsDirectory, orphan.owner);
  }
}

/** Unsaved work can still be saved if its record is in order. */
async function isReleasable(
  options: SlotOptions,
  { id, path }: { readonly id: string; readonly path: string },
  work: "importable" | "saved",
): Promise<boolean> {
  const slot = findClaimedSlot(options.stateDirectory, id);
  if (slot === undefined || isStillRunning(slot.claim.claimedBy)) return false;
  if (!(await hasCommit(options.repository, slot.claim.base))) {
    // A person is to look at its files, which a restart of the machine may have unmounted.
    await ensureMounted(options, slot.record);
    return false;
  }
  const proof = await proveRelease(options, { id, path });
  if (proof.status === "proven") return true;
  return work === "importable" && proof.code !== "WORKSPACE_NOT_OURS";
}

/** A workspace whose commit is missing is of a repository that was deleted: another one is at its place now. */
async function hasCommit(repository: Repository, commit: string): Promise<boolean> {
  const found = await runGit({
    place: getRefPlace(repository),
    arguments: ["cat-file", "-e", `${commit}^{commit}`],
    accept: [1, NO_OBJECT],
  });
  return found.exitCode === 0;
}

/** Releases the workspace of an ended delegation whose owner died between saving the work and freeing the workspace. */
async function releaseSaved(options: SlotOptions, id: string): Promise<void> {
  const slot = findClaimedSlot(options.stateDirectory, id);
  if (slot !== undefined) await retireSlot(options, slot.record);
  await dropIdleBranch(options.repository, id);
}

/** Deletes a branch without work on it; a branch with work stays for the user. */
async function dropIdleBranch(repository: Repository, id: string): Promise<void> {
  const tip = await readRefCommit(repository, workerBranchRef(id));
  const base = await readRefCommit(repository, baseRefName(id));
  if (tip !== undefined && tip === base)
    await changeRefs(repository, [{ ref: workerBranchRef(id), to: undefined, from: tip }]);
}

/** A git process that outlived its killed caller may have made a folder that holds only a pointer. */
function isEmptyPlace({ stateDirectory }: SlotOptions, path: string): boolean {
  const isOurPlace = dirname(path) === getStateFolders(stateDirectory).workspaces;
  const isEmpty = isOurPlace && readdirSync(path).every((name) => name === ".git");
  return isEmpty && !(lstatSync(join(path, ".git"), { throwIfNoEntry: false })?.isDirectory() ?? false);
}

async function removeEmptyPlace({ repository, stateDirectory }: SlotOptions, path: string): Promise<void> {
  // A mount there is empty as well; its record was deleted by hand.
  await unmountBelow(repository.host.searchPath, path);
  await unregisterWorktree({ repository, stateDirectory, path });
}

/**
 * Whether a branch or tag of the user's leads to the commit. Refs of ours do not count: if the store was lost, a branch
 * is the only place where a person looks for the work.
 */
async function isCommitKept(repository: Repository, commit: string): Promise<boolean> {
  const { stdout } = await runGit({
    place: getRefPlace(repository),
    arguments: [
      "rev-list",
      "--max-count=1",
      commit,
      "--not",
      "--tags",
      "--remotes",
      "--exclude=delegation/*",
      "--branches",
    ],
  });
  return stdout.length === 0;
}

/**
 * Whether a sandbox can be removed: no worker ever had it, or its owner is gone and our refs keep everything made in it.
 * In doubt it counts as work.
 */
async function holdsNoWork(context: ProjectContext, id: string): Promise<boolean> {
  const folders = sandboxFolders(context.stateDirectory, id);
  const record = readSandboxRecord(folders);
  if (record !== undefined && isStillRunning(record.madeBy)) return false;
  if (record?.isReady === false || isFolderEmpty(folders.root)) return true;
  const base = record?.base ?? (await readRefCommit(context.repository, baseRefName(id)));
  if (base === undefined) return false;
  if (!(await areCommitsKept(context, folders, { id, base }))) return false;
  return (await listUnkeptFiles(context, folders, { id, base })).length === 0;
}

function isFolderEmpty(folder: string): boolean {
  const isFolder = lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isFolder && readdirSync(folder).length === 0;
}
