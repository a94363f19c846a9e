import { join } from "node:path";
import { writeFileAtomically } from "../../base/files.ts";
import { workspaceErrors } from "../../errors/workspace.ts";
import { branchRefOf } from "../git/ref-names.ts";
import { type ProjectContext } from "../git/repository.ts";
import { ensureMounted } from "../prepare/layers.ts";
import { ownIndexOf, readClaimed, recordFolder, type SlotRecord, writeRecord } from "../records/record.ts";
import { checkOut } from "../slots/check-out.ts";
import { cleanAdmin } from "../slots/clean-admin.ts";
import { findTampering } from "../slots/pointers.ts";
import { preparedPatterns } from "../slots/prepared-patterns.ts";
import { proveRelease } from "../slots/prove-release.ts";
import { keepMixture, moveTips } from "./keep-tips.ts";
import { dropNote, readNote, writeNote } from "./note.ts";

export interface WorktreeAdvance {
  readonly id: string;
  readonly path?: string;
  /** If absent, only a killed advance is completed. */
  readonly to?: string;
}

/** Advances a linked worktree through a git directory and an index that its worker cannot reach. */
export async function advanceWorktree(context: ProjectContext, request: WorktreeAdvance): Promise<void> {
  const { id, path, to } = request;
  const { record } = readClaimed(context.stateDirectory, id);
  await ensureMounted(context, record);
  const unfinished = readNote(recordFolder(context.stateDirectory, record.name));
  if (unfinished === undefined && to === undefined) return;
  const tampering = findTampering(record);
  if (tampering !== undefined) throw workspaceErrors.workspaceTampered(record.path, tampering);
  if (unfinished !== undefined) await finish(context, { id, record, to: unfinished });
  if (to === undefined || to === unfinished) return;
  const proof = await proveRelease(context, { id, path: path ?? record.path });
  if (proof.status === "refused") throw workspaceErrors.notSaved(proof.code, record.path, proof.reason);
  await move(context, { id, record: proof.slot.record, to });
}

interface Move {
  readonly id: string;
  readonly record: SlotRecord;
  readonly to: string;
}

async function finish(context: ProjectContext, { id, record, to }: Move): Promise<void> {
  await keepMixture(context, {
    id,
    to,
    workTree: record.path,
    indexFile: ownIndexOf(context.stateDirectory, record.name),
    alsoIgnored: preparedPatterns(context.stateDirectory, record),
  });
  await move(context, { id, record, to });
}

/** Every step can be repeated, so the note is removed last. */
async function move(context: ProjectContext, { id, record, to }: Move): Promise<void> {
  const { stateDirectory } = context;
  const folder = recordFolder(stateDirectory, record.name);
  writeNote(folder, to);
  const moved: SlotRecord = { ...record, commit: to };
  await checkOut(context, moved, to);
  // A half-done merge or rebase would change the meaning of the next commit.
  cleanAdmin(moved);
  await moveTips(context, id, to);
  writeFileAtomically(join(record.adminDirectory, "HEAD"), `ref: ${branchRefOf(id)}\n`);
  writeRecord(stateDirectory, moved);
  dropNote(folder);
}
