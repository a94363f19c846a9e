import { workspaceErrors } from "../errors/workspace.ts";
import { advanceSandbox } from "./advance/advance-sandbox.ts";
import { advanceWorktree } from "./advance/advance-worktree.ts";
import { checkWorkspaceId } from "./git/ref-names.ts";
import type { ProjectContext } from "./git/repository.ts";
import { findClaimedSlot } from "./records/record.ts";
import { sandboxFolders } from "./sandbox/folders.ts";
import { readSandboxRecord } from "./sandbox/record.ts";
import { buildSlotOptions, type WorkspaceSettings } from "./worktree.ts";

export interface AdvanceRequest {
  readonly id: string;
  /** The path recorded when the workspace was created; any other path is refused. */
  readonly path: string;
  readonly to: string;
}

/**
 * Moves a workspace that no worker is using to another commit. Afterwards branch, index and files match that commit;
 * ignored files stay. Throws if something in it is not saved yet (`WORK_NOT_SAVED`, `WORK_NOT_REACHABLE`) or if the
 * workspace was tampered with (`WORKSPACE_TAMPERED`, `WORKSPACE_GONE`). If the process is killed midway, the next
 * call or `finishAdvance` completes the move.
 */
export async function advanceWorkspace(settings: WorkspaceSettings, request: AdvanceRequest): Promise<void> {
  const context = buildSlotOptions(settings);
  const id = checkWorkspaceId(request.id);
  if (findClaimedSlot(context.stateDirectory, id) !== undefined) return advanceWorktree(context, request);
  if (isSandboxClone(context, id)) return advanceSandbox(context, request);
  throw workspaceErrors.notFound(id);
}

/**
 * Completes an advance that was killed midway; otherwise does nothing. Call it before anything else touches a
 * workspace after a crash: until then its files are a mixture of two commits.
 */
export async function finishAdvance(settings: WorkspaceSettings, id: string): Promise<void> {
  const context = buildSlotOptions(settings);
  if (findClaimedSlot(context.stateDirectory, id) !== undefined) await advanceWorktree(context, { id });
  else if (isSandboxClone(context, checkWorkspaceId(id))) await advanceSandbox(context, { id });
}

function isSandboxClone({ stateDirectory }: ProjectContext, id: string): boolean {
  return readSandboxRecord(sandboxFolders(stateDirectory, id))?.isReady === true;
}
