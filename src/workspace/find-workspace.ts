import { join } from "node:path";
import { getStateFolders } from "./files/state-folders.ts";
import { waitForPending } from "./files/pending-work.ts";
import { getUpperFolder } from "./prepare/layers.ts";
import { findClaimedSlot, listSlots } from "./records/record.ts";
import { sandboxesFolder } from "./sandbox/folders.ts";
import { listSandboxes } from "./sandbox/record.ts";
import { isPoolClaim } from "./slots/waiting-slots.ts";
import { describeWorkspace, type WorkspaceSettings, type Workspace } from "./worktree.ts";

/** Finds the workspace of a delegation in our own records; undefined if it has none. */
export function findWorkspace(settings: WorkspaceSettings, id: string): Workspace | undefined {
  const slot = findClaimedSlot(settings.stateDirectory, id);
  if (slot === undefined || !slot.record.isReady) return undefined;
  return describeWorkspace(slot.record, { id, base: slot.claim.base }, 0);
}

/** Resolves when git in the workspace at this path shows what was imported, and a worker may use it again. */
export async function waitForWorkspace(path: string): Promise<void> {
  await waitForPending(path);
}

/**
 * Returns the folders that hold the files written in a workspace: the changes of its layers, and its own folder if that
 * is not a layer.
 */
export function listWritable(stateDirectory: string, id: string, path: string): readonly string[] {
  const layers = findClaimedSlot(stateDirectory, id)?.record.layers ?? [];
  const changes = layers.map(({ folder }) => getUpperFolder(folder));
  return layers.some(({ target }) => target === path) ? changes : [path, ...changes];
}

/** The folders without which no workspace holds all of its files. */
export function listTreeFolders(stateDirectory: string): readonly string[] {
  const { workspaces, records, templates } = getStateFolders(stateDirectory);
  return [workspaces, records, templates];
}

/** Lists the folders of workers below a folder of trees, whichever repository they belong to. */
export function listWorkBelow(trees: string): readonly string[] {
  const workspaces = listSlots(trees).flatMap(({ record, claim }) =>
    claim === undefined || isPoolClaim(claim) ? [] : [record.path],
  );
  const folder = sandboxesFolder(trees);
  return [...workspaces, ...listSandboxes(trees).map((id) => join(folder, id))];
}
