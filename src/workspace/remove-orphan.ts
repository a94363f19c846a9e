import { lstatSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathExists } from "../base/files.ts";
import { isStillRunning } from "../containment/process-identity.ts";
import { moveToTrash } from "./files/move-to-trash.ts";
import { getStateFolders } from "./files/state-folders.ts";
import { readRefCommit } from "./git/read-head.ts";
import { baseRefName, workerBranchRef } from "./git/ref-names.ts";
import { changeRefs } from "./git/refs.ts";
import { getRefPlace, type Repository } from "./git/repository.ts";
import { runGit } from "./git/run-git.ts";
import type { Orphan } from "./orphans.ts";
import { unmountBelow } from "./prepare/overlay.ts";
import { releasePorts } from "./prepare/ports.ts";
import type { SlotOptions } from "./prepare/slot-options.ts";
import { findClaimedSlot, listSlots } from "./records/record.ts";
import { holdsNoWork } from "./sandbox/holds-no-work.ts";
import { discardSlot, retireSlot } from "./slots/prepare-slot.ts";
import { proveRelease } from "./slots/prove-release.ts";
import { unregisterWorktree } from "./slots/register.ts";
import { buildSlotOptions, type WorkspaceSettings } from "./worktree.ts";

/**
 * Removes what provably holds no work. False if a person must look at it, or if it must be imported and released
 * first.
 */
export async function removeOrphan(settings: WorkspaceSettings, orphan: Orphan): Promise<boolean> {
  const options = buildSlotOptions(settings);
  const { repository, stateDirectory } = options;
  switch (orphan.kind) {
    case "ref":
      return false;
    case "workspace":
      return releaseSaved(options, orphan);
    case "sandbox":
      return removeSandbox(options, orphan);
    case "unknown-folder":
      return removeIfEmpty(options, orphan.path);
    case "branch":
      return dropKeptBranch(options, orphan.ref, orphan.commit);
    case "half-made": {
      const slot = listSlots(stateDirectory).find(({ record }) => record.name === orphan.name);
      if (slot !== undefined) await discardSlot(options, slot.record);
      return true;
    }
    case "worktree-entry":
      await unregisterWorktree({ repository, stateDirectory, path: orphan.path });
      return true;
    case "ref-lock":
      rmSync(orphan.path, { force: true });
      return true;
    case "scratch":
      await unmountBelow(repository.host.searchPath, orphan.path);
      // A git process that outlived its killed caller may still be writing there.
      if (pathExists(orphan.path)) moveToTrash(getStateFolders(stateDirectory).trash, orphan.path);
      return true;
    case "mount":
      await unmountBelow(repository.host.searchPath, orphan.path);
      return true;
    case "port-claim":
      releasePorts(options.portsDirectory, orphan.owner);
      return true;
  }
}

/** Releases the workspace of an ended delegation whose owner died between saving the work and freeing the workspace. */
async function releaseSaved(
  options: SlotOptions,
  { id, path }: { readonly id: string; readonly path: string },
): Promise<boolean> {
  const slot = findClaimedSlot(options.stateDirectory, id);
  if (slot === undefined || isStillRunning(slot.claim.claimedBy)) return false;
  const proof = await proveRelease(options, { id, path });
  if (proof.status === "refused") return false;
  await retireSlot(options, proof.slot.record);
  await dropIdleBranch(options.repository, id);
  return true;
}

async function removeSandbox(
  options: SlotOptions,
  { id, path }: { readonly id: string; readonly path: string },
): Promise<boolean> {
  if (!(await holdsNoWork(options, id))) return false;
  moveToTrash(getStateFolders(options.stateDirectory).trash, path);
  await dropIdleBranch(options.repository, id);
  return true;
}

/** Deletes a branch without work on it; a branch with work stays for the user. */
async function dropIdleBranch(repository: Repository, id: string): Promise<void> {
  const tip = await readRefCommit(repository, workerBranchRef(id));
  const base = await readRefCommit(repository, baseRefName(id));
  if (tip !== undefined && tip === base)
    await changeRefs(repository, [{ ref: workerBranchRef(id), to: undefined, from: tip }]);
}

/** A git process that outlived its killed caller may have made a folder that holds only a pointer. */
async function removeIfEmpty({ repository, stateDirectory }: SlotOptions, path: string): Promise<boolean> {
  const isOurPlace = dirname(path) === getStateFolders(stateDirectory).workspaces;
  const isEmpty = isOurPlace && readdirSync(path).every((name) => name === ".git");
  const isPointer =
    isEmpty && !(lstatSync(join(path, ".git"), { throwIfNoEntry: false })?.isDirectory() ?? false);
  if (!isPointer) return false;
  // What was mounted there is as empty; its record was deleted by hand.
  await unmountBelow(repository.host.searchPath, path);
  await unregisterWorktree({ repository, stateDirectory, path });
  return true;
}

async function dropKeptBranch({ repository }: SlotOptions, ref: string, commit: string): Promise<boolean> {
  const kept = await isCommitKept(repository, commit);
  if (kept) await changeRefs(repository, [{ ref, to: undefined, from: commit }]);
  return kept;
}

/**
 * Whether a branch or tag of the user's leads to the commit. Refs of ours do not count: where the store was lost, a branch
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
