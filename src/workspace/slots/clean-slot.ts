import { join } from "node:path";
import { isThere } from "../files/safe-path.ts";
import { isUntouched } from "../prepare/dependencies.ts";
import { canLayer, upperOf } from "../prepare/layers.ts";
import { signFolder } from "../prepare/seal.ts";
import { checkOut } from "./check-out.ts";
import { cleanAdmin } from "./clean-admin.ts";
import { unlaySlot } from "./fill-slot.ts";
import { findTampering } from "./pointers.ts";
import { furnishSlot, stageFurniture } from "./furnish.ts";
import { ownIdentity } from "./prepare-slot.ts";
import type { SlotOptions } from "./slot-options.ts";
import { type SlotRecord, writeRecord } from "./record.ts";
import { removeForeign } from "./remove-foreign.ts";
import { slotNotClean } from "./slot-not-clean.ts";

/**
 * Makes a used checkout as good as new for another worker: the commit's files, nothing untracked, nothing ignored,
 * fresh includes, dependency folders as they were made. Throws where it cannot be sure; such a one is thrown away.
 */
export async function cleanSlot(options: SlotOptions, used: SlotRecord, commit: string): Promise<SlotRecord> {
  // Marked first: one that is killed half-way is never taken for a clean one.
  const marked: SlotRecord = { ...used, isReady: false, madeBy: ownIdentity() };
  writeRecord(options.stateDirectory, marked);
  if (findTampering(used) !== undefined) throw slotNotClean(used, "it no longer points where it did");
  const raw = (await canLayer(options, options.dependencyWay)) ? await unlaySlot(options, used) : undefined;
  const dependencies = raw === undefined ? await currentDependencies(options, used) : [];
  const bare: SlotRecord = { ...marked, included: [], dependencies, layers: [], commit };
  await restoreFiles(options, raw === undefined ? bare : { ...bare, path: upperOf(raw.folder) });
  cleanAdmin(bare);
  const furniture = await stageFurniture(options, bare);
  const furnished = await furnishSlot(options, { record: bare, raw, furniture, wasUsed: true });
  const ready = { ...furnished, isReady: true };
  writeRecord(options.stateDirectory, ready);
  return ready;
}

async function restoreFiles(options: SlotOptions, record: SlotRecord): Promise<void> {
  await removeForeign(options, record);
  await checkOut(options, record, record.commit);
  // Again with the new commit's list: what the old one held and a worker made anew is foreign now.
  await removeForeign(options, record);
}

/** Copies that still are what the user has, and that no worker has touched; layers are always made anew. */
async function currentDependencies(
  { repository }: SlotOptions,
  record: SlotRecord,
): Promise<SlotRecord["dependencies"]> {
  const kept: SlotRecord["dependencies"] = [];
  for (const prepared of record.dependencies) {
    const folder = join(repository.workTree, prepared.path);
    const isCurrent = isThere(folder) && signFolder(folder) === prepared.source;
    if (isCurrent && (await isUntouched(record, prepared))) kept.push(prepared);
  }
  return kept;
}
