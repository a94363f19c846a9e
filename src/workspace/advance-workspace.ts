import { join } from "node:path";
import { workspaceErrors } from "../errors/workspace.ts";
import { writeFileAtomically } from "../base/files.ts";
import { advanceSandbox } from "./advance/advance-sandbox.ts";
import { checkWorkspaceId, workerBranchRef } from "./git/ref-names.ts";
import type { ProjectContext } from "./git/repository.ts";
import {
  findClaimedSlot,
  ownIndexPath,
  readClaimedSlot,
  recordFolder,
  type SlotRecord,
  writeSlotRecord,
} from "./records/record.ts";
import { sandboxFolders } from "./sandbox/folders.ts";
import { readSandboxRecord } from "./sandbox/record.ts";
import { buildSlotOptions, type WorkspaceSettings } from "./worktree.ts";
import { ensureMounted } from "./prepare/layers.ts";
import { checkOutCommit } from "./slots/check-out.ts";
import { cleanMetadata } from "./slots/clean-metadata.ts";
import { findTampering } from "./slots/pointers.ts";
import { preparedPatterns } from "./slots/prepared-patterns.ts";
import { proveRelease } from "./slots/prove-release.ts";
import { saveMixedFiles, moveTipRefs } from "./advance/keep-tips.ts";
import { removeAdvanceNote, readAdvanceNote, writeAdvanceNote } from "./advance/note.ts";

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

interface WorktreeAdvance {
  readonly id: string;
  readonly path?: string;
  /** If absent, only a killed advance is completed. */
  readonly to?: string;
}

/** Advances a linked worktree through a git directory and an index that its worker cannot reach. */
async function advanceWorktree(context: ProjectContext, request: WorktreeAdvance): Promise<void> {
  const { id, path, to } = request;
  const { record } = readClaimedSlot(context.stateDirectory, id);
  await ensureMounted(context, record);
  const unfinished = readAdvanceNote(recordFolder(context.stateDirectory, record.name));
  if (unfinished === undefined && to === undefined) return;
  const tampering = findTampering(record);
  if (tampering !== undefined) throw workspaceErrors.workspaceTampered(record.path, tampering);
  if (unfinished !== undefined) await finishWorktreeAdvance(context, { id, record, to: unfinished });
  if (to === undefined || to === unfinished) return;
  const proof = await proveRelease(context, { id, path: path ?? record.path });
  if (proof.status === "refused") throw workspaceErrors.notSaved(proof.code, record.path, proof.reason);
  await moveWorktree(context, { id, record: proof.slot.record, to });
}

interface Move {
  readonly id: string;
  readonly record: SlotRecord;
  readonly to: string;
}

async function finishWorktreeAdvance(context: ProjectContext, { id, record, to }: Move): Promise<void> {
  await saveMixedFiles(context, {
    id,
    to,
    workTree: record.path,
    indexFile: ownIndexPath(context.stateDirectory, record.name),
    alsoIgnored: preparedPatterns(context.stateDirectory, record),
  });
  await moveWorktree(context, { id, record, to });
}

/** Every step can be repeated, so the note is removed last. */
async function moveWorktree(context: ProjectContext, { id, record, to }: Move): Promise<void> {
  const { stateDirectory } = context;
  const folder = recordFolder(stateDirectory, record.name);
  writeAdvanceNote(folder, to);
  const moved: SlotRecord = { ...record, commit: to };
  await checkOutCommit(context, moved, to);
  // A half-done merge or rebase would change the meaning of the next commit.
  cleanMetadata(moved);
  await moveTipRefs(context, id, to);
  writeFileAtomically(join(record.adminDirectory, "HEAD"), `ref: ${workerBranchRef(id)}\n`);
  writeSlotRecord(stateDirectory, moved);
  removeAdvanceNote(folder);
}
