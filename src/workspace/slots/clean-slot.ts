import { join } from "node:path";
import { pathExists } from "../../base/files.ts";
import { workspaceErrors } from "../../errors/workspace.ts";
import { isDependencyUntouched } from "../prepare/dependencies.ts";
import { recallDependencies } from "../prepare/find-dependencies.ts";
import { fingerprintFolder } from "../prepare/fingerprint.ts";
import { hasDependencies } from "../prepare/has-dependencies.ts";
import { hasRecipe } from "../prepare/has-recipe.ts";
import { canUseLayers } from "../prepare/layers.ts";
import type { SlotOptions } from "../prepare/slot-options.ts";
import { usesSpoiledTree } from "../prepare/tree-trust.ts";
import { type SlotRecord, writeSlotRecord } from "../records/record.ts";
import { assembleSlot, stageSlotExtras } from "./assemble-slot.ts";
import { checkOutCommit, syncWorkerIndex } from "./check-out.ts";
import { cleanMetadata } from "./clean-metadata.ts";
import { emptySlot, fillSlot, type RawTree } from "./fill-slot.ts";
import { moveSlotToCommit } from "./hand-out.ts";
import { isLayerFresh, inspectLayer } from "./layer-state.ts";
import { findTampering } from "./pointers.ts";
import { markUnready } from "./prepare-slot.ts";
import { removeForeignFiles } from "./remove-foreign.ts";

/**
 * Makes a used checkout as good as new for another worker: the commit's files, nothing untracked, nothing ignored,
 * fresh includes, dependency folders as they were created. Throws if it cannot be sure; the caller then discards the
 * checkout.
 */
export async function cleanSlot(options: SlotOptions, used: SlotRecord, commit: string): Promise<SlotRecord> {
  const marked = markUnready(options.stateDirectory, used);
  if (findTampering(used) !== undefined || used.pointers === null)
    throw workspaceErrors.slotNotClean(used.path, "its git pointers were changed");
  if (await isLikeNew(options, used)) return refitSlot(options, marked, commit);
  const isLayered = await canUseLayers(options, options.dependencyWay);
  const dependencies = isLayered ? [] : await currentDependencies(options, used);
  const by = { source: options.repository.workTree, recipe: options.recipe };
  const bare: SlotRecord = { ...marked, ...by, included: [], dependencies, layers: [], commit };
  const raw = isLayered
    ? await refillSlot(options, bare, used.pointers.gitFile)
    : await restoreFiles(options, bare);
  cleanMetadata(bare);
  const extras = await stageSlotExtras(options, bare);
  const assembled = await assembleSlot(options, { record: bare, raw, extras });
  const ready = { ...assembled, isReady: true };
  writeSlotRecord(options.stateDirectory, ready);
  return ready;
}

/** Whether its worker wrote nothing, and the brought files still match those of the user. */
async function isLikeNew(options: SlotOptions, used: SlotRecord): Promise<boolean> {
  if (!hasRecipe(options, used)) return false;
  if (!isLayerFresh(inspectLayer(used)) || (await usesSpoiledTree(used))) return false;
  return hasDependencies(used, await recallDependencies(options, options.dependencyFolders));
}

async function refitSlot(options: SlotOptions, used: SlotRecord, commit: string): Promise<SlotRecord> {
  const moved = used.commit === commit ? used : await moveSlotToCommit(options, used, commit);
  cleanMetadata(moved);
  syncWorkerIndex(options.stateDirectory, moved);
  const ready = { ...moved, isReady: true };
  writeSlotRecord(options.stateDirectory, ready);
  return ready;
}

/** A worker's changes are in a layer; without it, the checkout is new. */
async function refillSlot(
  options: SlotOptions,
  record: SlotRecord,
  gitFile: string,
): Promise<RawTree | undefined> {
  await emptySlot(options, record, gitFile);
  return fillSlot(options, record);
}

async function restoreFiles(options: SlotOptions, record: SlotRecord): Promise<undefined> {
  await removeForeignFiles(options, record);
  await checkOutCommit(options, record, record.commit);
  // This runs again with the new commit's list: a file of the old commit that a worker created again is foreign now.
  await removeForeignFiles(options, record);
}

/** Keeps copies that match the user's folders and that no worker has touched; layers are always created again. */
async function currentDependencies(
  { repository }: SlotOptions,
  record: SlotRecord,
): Promise<SlotRecord["dependencies"]> {
  const kept: SlotRecord["dependencies"] = [];
  for (const prepared of record.dependencies) {
    const folder = join(repository.workTree, prepared.path);
    const isCurrent = pathExists(folder) && fingerprintFolder(folder) === prepared.source;
    if (isCurrent && (await isDependencyUntouched(record, prepared))) kept.push(prepared);
  }
  return kept;
}
