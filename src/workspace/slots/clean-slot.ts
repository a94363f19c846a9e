import { join } from "node:path";
import { DelegationError } from "../../base/delegation-error.ts";
import { isThere } from "../files/safe-path.ts";
import { isUntouched } from "../prepare/dependencies.ts";
import { dropLayers } from "../prepare/layers.ts";
import { signFolder } from "../prepare/seal.ts";
import { checkOut } from "./check-out.ts";
import { cleanAdmin } from "./clean-admin.ts";
import { findTampering } from "./pointers.ts";
import { furnishSlot, stageFurniture } from "./furnish.ts";
import { ownIdentity } from "./prepare-slot.ts";
import type { SlotOptions } from "./slot-options.ts";
import { type SlotRecord, writeRecord } from "./record.ts";
import { removeForeign } from "./remove-foreign.ts";

/**
 * Makes a used checkout as good as new for another worker: the commit's files, nothing untracked, nothing ignored,
 * fresh includes, dependency folders as they were made. Throws where it cannot be sure; such a one is thrown away.
 */
export async function cleanSlot(options: SlotOptions, used: SlotRecord, commit: string): Promise<SlotRecord> {
  // Marked first: one that is killed half-way is never taken for a clean one.
  const marked: SlotRecord = { ...used, isReady: false, madeBy: ownIdentity() };
  writeRecord(options.stateDirectory, marked);
  if (findTampering(used) !== undefined) throw notClean(used);
  await dropLayers(options, used);
  const dependencies = await currentDependencies(options, used);
  const bare: SlotRecord = { ...marked, included: [], dependencies, layers: [], commit };
  await removeForeign(options, bare);
  await checkOut(options, bare, commit);
  // Again with the new commit's list: what the old one held and a worker made anew is foreign now.
  await removeForeign(options, bare);
  cleanAdmin(bare);
  const furniture = await stageFurniture(options, bare);
  const furnished = { ...(await furnishSlot(options, bare, furniture)), isReady: true };
  writeRecord(options.stateDirectory, furnished);
  return furnished;
}

/** Whether the user's dependencies are still those the slot holds. */
export function hasCurrentDependencies(options: SlotOptions, record: SlotRecord): boolean {
  const { workTree } = options.repository;
  return record.dependencies.every(({ path, way, source }) => {
    const folder = join(workTree, path);
    // The key of a template covers all folders at once; it is compared when the layers are made anew.
    return way === "overlay" || (isThere(folder) && signFolder(folder) === source);
  });
}

async function currentDependencies(
  options: SlotOptions,
  record: SlotRecord,
): Promise<SlotRecord["dependencies"]> {
  const kept: SlotRecord["dependencies"] = [];
  for (const prepared of record.dependencies) {
    const isCurrent = hasCurrentDependencies(options, { ...record, dependencies: [prepared] });
    if (isCurrent && (await isUntouched(record, prepared))) kept.push(prepared);
  }
  return kept;
}

function notClean(record: SlotRecord): DelegationError {
  return new DelegationError({
    code: "SLOT_NOT_CLEAN",
    message: `The checkout ${record.path} cannot be used again: it no longer points where it did`,
    recommendation: "It is put away and another one is made; nothing needs to be done.",
    recoverable: true,
  });
}
