import { join } from "node:path";
import { writeFileAtomically } from "../../base/files.ts";
import { workspaceErrors } from "../../errors/workspace.ts";
import { workerBranchRef } from "../git/ref-names.ts";
import { type ProjectContext } from "../git/repository.ts";
import { ensureMounted } from "../prepare/layers.ts";
import {
  ownIndexPath,
  readClaimedSlot,
  recordFolder,
  type SlotRecord,
  writeSlotRecord,
} from "../records/record.ts";
import { checkOutCommit } from "../slots/check-out.ts";
import { cleanMetadata } from "../slots/clean-metadata.ts";
import { findTampering } from "../slots/pointers.ts";
import { preparedPatterns } from "../slots/prepared-patterns.ts";
import { proveRelease } from "../slots/prove-release.ts";
import { saveMixedFiles, moveTipRefs } from "./keep-tips.ts";
import { removeAdvanceNote, readAdvanceNote, writeAdvanceNote } from "./note.ts";

export interface WorktreeAdvance {
  readonly id: string;
  readonly path?: string;
  /** If absent, only a killed advance is completed. */
  readonly to?: string;
}

/** Advances a linked worktree through a git directory and an index that its worker cannot reach. */
export async function advanceWorktree(context: ProjectContext, request: WorktreeAdvance): Promise<void> {
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
