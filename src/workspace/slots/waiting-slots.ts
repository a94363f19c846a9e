import { utimesSync } from "node:fs";
import { pathExists } from "../../base/files.ts";
import { isStillRunning } from "../../containment/process-identity.ts";
import { ensureMounted } from "../prepare/layers.ts";
import { unmountBelow } from "../prepare/overlay.ts";
import type { SlotOptions } from "../prepare/slot-options.ts";
import {
  changeClaim,
  claimSlot,
  removeClaim,
  listSlots,
  ownIndexPath,
  readSlot,
  type Slot,
  type SlotClaim,
  type SlotRecord,
  writeSlotRecord,
} from "../records/record.ts";
import { syncWorkerIndex } from "./check-out.ts";
import { cleanSlot } from "./clean-slot.ts";
import { moveSlotToCommit, refuseTampered } from "./hand-out.ts";
import { discardSlot, markUnready, readOwnIdentity } from "./prepare-slot.ts";

/** Marks the pool as the owner, not a delegation: no id may contain brackets. */
const POOL = "(pool)";

/** Runs work on a waiting checkout while no other process can take it; undefined if one was faster. */
export async function holdWaitingSlot<Result>(
  options: SlotOptions,
  name: string,
  work: (record: SlotRecord) => Promise<Result>,
): Promise<Result | undefined> {
  const { stateDirectory } = options;
  if (!claimForPool(stateDirectory, name)) return undefined;
  try {
    const slot = readSlot(stateDirectory, name);
    return slot === undefined ? undefined : await work(slot.record);
  } finally {
    removeClaim(stateDirectory, name);
  }
}

/**
 * Claims a waiting checkout for a delegation; false if another process was faster. One that does not hold the commit of
 * the delegation stays the pool's until it does: after a crash, its files would pass for the work of a worker.
 */
export function claimForDelegation(stateDirectory: string, record: SlotRecord, claim: SlotClaim): boolean {
  return record.commit === claim.base
    ? claimSlot(stateDirectory, record.name, claim)
    : claimForPool(stateDirectory, record.name);
}

/** Brings a checkout that was claimed in this way to its commit, after which it is the delegation's. */
export async function bringToBase(
  options: SlotOptions,
  record: SlotRecord,
  claim: SlotClaim,
): Promise<SlotRecord> {
  if (record.commit === claim.base) return record;
  await refuseTampered(record);
  const moved = await moveWaitingSlot(options, record, claim.base);
  changeClaim(options.stateDirectory, record.name, claim);
  return moved;
}

function claimForPool(stateDirectory: string, name: string): boolean {
  return claimSlot(stateDirectory, name, { version: 1, id: POOL, base: POOL, claimedBy: readOwnIdentity() });
}

/** Discards waiting checkouts; one that another process has taken in the meantime stays. */
export async function discardWaiting(options: SlotOptions, waiting: readonly SlotRecord[]): Promise<void> {
  const held = waiting.filter(({ name }) => claimForPool(options.stateDirectory, name));
  // They are unmounted all at once, which saves one process for each.
  await unmountBelow(options.repository.host.searchPath, ...held.map(({ path }) => path));
  for (const record of held) await discardSlot(options, record);
}

/**
 * Returns the waiting checkouts of the pool, from any process. Checkouts that a killed process left half created or half
 * cleaned are discarded: a checkout is only marked so before a worker gets it or after its work was saved. Checkouts for
 * another checkout of the user belong to its pool, unless that one is gone.
 */
export async function adoptWaitingSlots(options: SlotOptions): Promise<readonly SlotRecord[]> {
  const waiting: SlotRecord[] = [];
  const { workTree } = options.repository;
  const ours = listSlots(options.stateDirectory).filter(
    ({ record: { pooled, source } }) => pooled && (source === workTree || !pathExists(source)),
  );
  for (const slot of ours) {
    const state = judgeSlotState(slot);
    if (state === "held") removeClaim(options.stateDirectory, slot.record.name);
    if (state === "held" || state === "waiting") waiting.push(...(await wakeSlot(options, slot.record)));
    if (state === "abandoned") await discardSlot(options, slot.record);
  }
  return waiting;
}

/**
 * Discards checkouts that this process began and could not remove at once, for example on a full disk. Called when this
 * process works on no checkout any more: after its end, only `ambit doctor --fix` would remove them.
 */
export async function discardUnfinishedSlots(options: SlotOptions): Promise<void> {
  const unfinished = listSlots(options.stateDirectory).filter(({ record, claim }) => {
    const isHandedOut = record.isReady && (record.pooled || claim !== undefined);
    const isOurs = record.madeBy.pid === process.pid && isStillRunning(record.madeBy);
    return isOurs && record.source === options.repository.workTree && !isHandedOut;
  });
  for (const { record } of unfinished) await discardSlot(options, record);
}

/** The machine may have restarted since; a checkout that cannot be mounted again is useless. */
async function wakeSlot(options: SlotOptions, record: SlotRecord): Promise<readonly SlotRecord[]> {
  try {
    await ensureMounted(options, record);
    return [record];
  } catch {
    await holdWaitingSlot(options, record.name, (held) => discardSlot(options, held));
    return [];
  }
}

export function isPoolClaim(claim: SlotClaim): boolean {
  return claim.id === POOL;
}

/** `held`: another pool was about to work on it and died. */
function judgeSlotState({ record, claim }: Slot): "waiting" | "held" | "busy" | "abandoned" {
  const isMakerGone = !isStillRunning(record.madeBy);
  if (!record.isReady) return isMakerGone ? "abandoned" : "busy";
  if (claim === undefined) return "waiting";
  return isPoolClaim(claim) && !isStillRunning(claim.claimedBy) ? "held" : "busy";
}

/** Moves a waiting checkout to another commit; with `workspace.setup`, its result may depend on the commit. */
export async function moveWaitingSlot(
  options: SlotOptions,
  record: SlotRecord,
  commit: string,
): Promise<SlotRecord> {
  if (options.setUp !== undefined) return cleanSlot(options, record, commit);
  const marked = markUnready(options.stateDirectory, record);
  const ready = { ...(await moveSlotToCommit(options, marked, commit)), isReady: true };
  writeSlotRecord(options.stateDirectory, ready);
  return ready;
}

/** Makes both indexes newer than every file they list, so that a first comparison need not read the files again. */
export function settleIndexes(options: SlotOptions, record: SlotRecord): void {
  const now = new Date();
  utimesSync(ownIndexPath(options.stateDirectory, record.name), now, now);
  syncWorkerIndex(options.stateDirectory, record);
}
