import { join } from "node:path";
import { pathExists } from "../../base/files.ts";
import { workspaceErrors } from "../../errors/workspace.ts";
import { isUntouched } from "../prepare/dependencies.ts";
import { recallDependencies } from "../prepare/find-dependencies.ts";
import { hasDependencies } from "../prepare/has-dependencies.ts";
import { canLayer } from "../prepare/layers.ts";
import { signFolder } from "../prepare/seal.ts";
import type { SlotOptions } from "../prepare/slot-options.ts";
import { isOnSpoiled } from "../prepare/tree-trust.ts";
import { type SlotRecord, writeRecord } from "../records/record.ts";
import { checkOut, syncIndex } from "./check-out.ts";
import { cleanAdmin } from "./clean-admin.ts";
import { emptySlot, fillSlot, type RawTree } from "./fill-slot.ts";
import { furnishSlot, stageFurniture } from "./furnish.ts";
import { moveSlot } from "./hand-out.ts";
import { isFresh, lookAtLayer } from "./layer-state.ts";
import { findTampering } from "./pointers.ts";
import { markUnready } from "./prepare-slot.ts";
import { removeForeign } from "./remove-foreign.ts";

/**
 * Makes a used checkout as good as new for another worker: the commit's files, nothing untracked, nothing ignored,
 * fresh includes, dependency folders as they were created. Throws if it cannot be sure; the caller then discards the
 * checkout.
 */
export async function cleanSlot(options: SlotOptions, used: SlotRecord, commit: string): Promise<SlotRecord> {
  const marked = markUnready(options.stateDirectory, used);
  if (findTampering(used) !== undefined || used.pointers === null)
    throw workspaceErrors.slotNotClean(used.path, "it no longer points where it did");
  if (await isAsNew(options, used)) return refit(options, marked, commit);
  const isLayered = await canLayer(options, options.dependencyWay);
  const dependencies = isLayered ? [] : await currentDependencies(options, used);
  const bare: SlotRecord = { ...marked, included: [], dependencies, layers: [], commit };
  const raw = isLayered
    ? await layAnew(options, bare, used.pointers.gitFile)
    : await restoreFiles(options, bare);
  cleanAdmin(bare);
  const furniture = await stageFurniture(options, bare);
  const furnished = await furnishSlot(options, { record: bare, raw, furniture });
  const ready = { ...furnished, isReady: true };
  writeRecord(options.stateDirectory, ready);
  return ready;
}

/** Its worker wrote nothing, and the brought files are still what the user has. */
async function isAsNew(options: SlotOptions, used: SlotRecord): Promise<boolean> {
  if (!isFresh(lookAtLayer(used)) || (await isOnSpoiled(used))) return false;
  return hasDependencies(used, await recallDependencies(options, options.dependencyFolders));
}

async function refit(options: SlotOptions, used: SlotRecord, commit: string): Promise<SlotRecord> {
  const moved = used.commit === commit ? used : await moveSlot(options, used, commit);
  cleanAdmin(moved);
  syncIndex(options.stateDirectory, moved);
  const ready = { ...moved, isReady: true };
  writeRecord(options.stateDirectory, ready);
  return ready;
}

/** A worker's changes are in a layer; without it, the checkout is new. */
async function layAnew(
  options: SlotOptions,
  record: SlotRecord,
  gitFile: string,
): Promise<RawTree | undefined> {
  await emptySlot(options, record, gitFile);
  return fillSlot(options, record);
}

async function restoreFiles(options: SlotOptions, record: SlotRecord): Promise<undefined> {
  await removeForeign(options, record);
  await checkOut(options, record, record.commit);
  // Again with the new commit's list: a file of the old commit that a worker created again is foreign now.
  await removeForeign(options, record);
}

/** Keeps copies that match what the user has and that no worker has touched; layers are always created again. */
async function currentDependencies(
  { repository }: SlotOptions,
  record: SlotRecord,
): Promise<SlotRecord["dependencies"]> {
  const kept: SlotRecord["dependencies"] = [];
  for (const prepared of record.dependencies) {
    const folder = join(repository.workTree, prepared.path);
    const isCurrent = pathExists(folder) && signFolder(folder) === prepared.source;
    if (isCurrent && (await isUntouched(record, prepared))) kept.push(prepared);
  }
  return kept;
}
