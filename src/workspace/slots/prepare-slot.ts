import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathExists } from "../../base/files.ts";
import { readIdentity } from "../../containment/process-identity.ts";
import { workspaceErrors } from "../../errors/workspace.ts";
import { getStateFolders } from "../files/state-folders.ts";
import { withFileLock } from "../files/with-lock.ts";
import { removeLayers } from "../prepare/layers.ts";
import { claimPortBlock, releasePorts } from "../prepare/ports.ts";
import { withProgress } from "../prepare/progress.ts";
import type { SlotOptions } from "../prepare/slot-options.ts";
import {
  createRecord,
  removeRecord,
  recordFolder,
  type SlotClaim,
  type SlotRecord,
  writeSlotRecord,
} from "../records/record.ts";
import { assembleSlot, stageSlotExtras } from "./assemble-slot.ts";
import { fillSlot, type RawTree } from "./fill-slot.ts";
import { getAdminDirectory, registerWorktree, unregisterWorktree } from "./register.ts";

export interface NewSlot {
  /**
   * Also the name of the folder and of git's metadata. It must be unique, because equal names make concurrent
   * creations fail.
   */
  readonly name: string;
  readonly commit: string;
  readonly pooled: boolean;
  /** The owner of the checkout from the start; a checkout created for the pool has none. */
  readonly claim?: SlotClaim;
}

/** Creates a complete checkout on no branch. On failure nothing of it stays. */
export async function prepareSlot(options: SlotOptions, slot: NewSlot): Promise<SlotRecord> {
  const path = join(getStateFolders(options.stateDirectory).workspaces, slot.name);
  if (pathExists(path)) throw workspaceErrors.workspaceExists(path);
  const record = await announceSlot(options, slot, path);
  try {
    return await completeSlot(options, record);
  } catch (error) {
    await discardSlot(options, record);
    throw error;
  }
}

/** Removes a checkout that no worker has had, so it holds no work. */
export async function discardSlot(options: SlotOptions, record: SlotRecord): Promise<readonly string[]> {
  await removeLayers(options, record);
  const moved = await unregisterWorktree({ ...options, path: record.path });
  releasePorts(options.portsDirectory, recordFolder(options.stateDirectory, record.name));
  removeRecord(options.stateDirectory, record.name);
  return moved;
}

/**
 * Removes a checkout whose work is saved. It is marked first: if we are killed midway, the next process must not take
 * the rest for the state a worker left.
 */
export function retireSlot(options: SlotOptions, record: SlotRecord): Promise<readonly string[]> {
  return discardSlot(options, markUnready(options.stateDirectory, record));
}

/** Call it before a checkout is changed: if we are killed midway, it is never taken for complete. */
export function markUnready(stateDirectory: string, record: SlotRecord): SlotRecord {
  if (!record.isReady) return record;
  const marked: SlotRecord = { ...record, isReady: false, madeBy: readOwnIdentity() };
  writeSlotRecord(stateDirectory, marked);
  return marked;
}

/**
 * The record is written first, so that after a crash the next process knows the owner. This needs the lock, because a
 * process that ends removes the empty folders around it.
 */
function announceSlot(options: SlotOptions, slot: NewSlot, path: string): Promise<SlotRecord> {
  return withFileLock(getStateFolders(options.stateDirectory).lock, async () =>
    writeFirstRecord(options, slot, path),
  );
}

function writeFirstRecord(options: SlotOptions, slot: NewSlot, path: string): SlotRecord {
  const { stateDirectory } = options;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const record: SlotRecord = {
    version: 1,
    name: slot.name,
    commit: slot.commit,
    pooled: slot.pooled,
    path,
    adminDirectory: getAdminDirectory(options.repository, slot.name),
    isReady: false,
    pointers: null,
    source: options.repository.workTree,
    recipe: options.recipe,
    portBase: 0,
    included: [],
    dependencies: [],
    layers: [],
    madeBy: readOwnIdentity(),
  };
  if (!createRecord(stateDirectory, record, slot.claim)) throw workspaceErrors.workspaceExists(path);
  return record;
}

async function completeSlot(options: SlotOptions, announced: SlotRecord): Promise<SlotRecord> {
  const folder = recordFolder(options.stateDirectory, announced.name);
  const [filled, extras, portBase] = await waitForAll([
    registerAndFill(options, announced),
    stageSlotExtras(options, announced),
    claimPortBlock(options.portsDirectory, folder),
  ]);
  const { raw } = filled;
  const assembled = await assembleSlot(options, { record: { ...filled.record, portBase }, raw, extras });
  const ready = { ...assembled, isReady: true };
  writeSlotRecord(options.stateDirectory, ready);
  return ready;
}

/**
 * Like `Promise.all`, but reports a failure only when no step runs any more, so that nothing is created again after its
 * removal.
 */
async function waitForAll<Results extends readonly unknown[]>(work: {
  readonly [Index in keyof Results]: Promise<Results[Index]>;
}): Promise<Results> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

interface FilledSlot {
  readonly record: SlotRecord;
  readonly raw: RawTree | undefined;
}

async function registerAndFill(options: SlotOptions, announced: SlotRecord): Promise<FilledSlot> {
  const { path, commit } = announced;
  const pointers = await withProgress("registering", options.onProgress, () =>
    registerWorktree({ ...options, path, commit }),
  );
  const record = { ...announced, pointers };
  const raw = await withProgress("checking-out", options.onProgress, () => fillSlot(options, record));
  return { record, raw };
}

let ownIdentity: SlotRecord["madeBy"] | undefined;

export function readOwnIdentity(): SlotRecord["madeBy"] {
  ownIdentity ??= readIdentity(process.pid) ?? { bootId: "", pid: process.pid, startTime: 0 };
  return ownIdentity;
}
