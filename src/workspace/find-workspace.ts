import { findClaimedSlot } from "./records/record.ts";
import { describeWorkspace, type WorkspaceSettings, type Workspace } from "./worktree.ts";

/** Finds the workspace of a delegation in our own records; undefined if it has none. */
export function findWorkspace(settings: WorkspaceSettings, id: string): Workspace | undefined {
  const slot = findClaimedSlot(settings.stateDirectory, id);
  if (slot === undefined || !slot.record.isReady) return undefined;
  return describeWorkspace(slot.record, { id, base: slot.claim.base }, 0);
}
