import { DelegationError } from "../base/delegation-error.ts";
import { advanceSandbox } from "./advance/advance-sandbox.ts";
import { advanceWorktree } from "./advance/advance-worktree.ts";
import { checkWorkspaceId } from "./git/ref-names.ts";
import type { ProjectContext } from "./git/repository.ts";
import { findClaimed } from "./records/record.ts";
import { sandboxFolders } from "./sandbox/folders.ts";
import { readSandboxRecord } from "./sandbox/record.ts";
import { slotOptions, type WorkspaceSettings } from "./worktree.ts";

export interface AdvanceRequest {
  readonly id: string;
  /** As it was recorded when the workspace was made; another path is refused. */
  readonly path: string;
  readonly to: string;
}

/**
 * Brings a workspace in which nothing is at work to another commit: branch, index and files are exactly there
 * afterwards, ignored files stay. Throws where something in it is not kept yet (`WORK_NOT_SAVED`, `WORK_NOT_REACHABLE`)
 * or where it is no longer what was made (`WORKSPACE_TAMPERED`, `WORKSPACE_GONE`). Killed half-way, the next call, or
 * `finishAdvance`, completes it.
 */
export async function advanceWorkspace(settings: WorkspaceSettings, request: AdvanceRequest): Promise<void> {
  const context = slotOptions(settings);
  const id = checkWorkspaceId(request.id);
  if (findClaimed(context.stateDirectory, id) !== undefined) return advanceWorktree(context, request);
  if (isSandbox(context, id)) return advanceSandbox(context, request);
  throw new DelegationError({
    code: "WORKSPACE_NOT_FOUND",
    message: `No workspace of ours belongs to ${id}`,
    recommendation: "It may have been released already; its work is kept under refs/ambit/work.",
  });
}

/**
 * Completes an advance that was killed half-way; does nothing where none was. To be called before anything else is done
 * with a workspace after a crash: its files are neither those of one commit nor those of the other.
 */
export async function finishAdvance(settings: WorkspaceSettings, id: string): Promise<void> {
  const context = slotOptions(settings);
  if (findClaimed(context.stateDirectory, id) !== undefined) await advanceWorktree(context, { id });
  else if (isSandbox(context, checkWorkspaceId(id))) await advanceSandbox(context, { id });
}

function isSandbox({ stateDirectory }: ProjectContext, id: string): boolean {
  return readSandboxRecord(sandboxFolders(stateDirectory, id))?.isReady === true;
}
