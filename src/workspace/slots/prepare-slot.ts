import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { DelegationError } from "../../base/delegation-error.ts";
import { readIdentity } from "../../containment/process-identity.ts";
import { isThere } from "../files/safe-path.ts";
import { foldersOf } from "../files/state-folders.ts";
import { dropLayers } from "../prepare/layers.ts";
import { claimPorts, dropPorts } from "../prepare/ports.ts";
import { withProgress } from "../prepare/progress.ts";
import type { SlotOptions } from "../prepare/slot-options.ts";
import {
  createRecord,
  dropRecord,
  recordFolder,
  type SlotClaim,
  type SlotRecord,
  writeRecord,
} from "../records/record.ts";
import { fillSlot, type RawTree } from "./fill-slot.ts";
import { furnishSlot, stageFurniture } from "./furnish.ts";
import { adminDirectoryOf, registerWorktree, unregisterWorktree } from "./register.ts";

export interface NewSlot {
  /** Also the name of the folder and of git's notes: unique, as equal names make concurrent creations fail. */
  readonly name: string;
  readonly commit: string;
  readonly pooled: boolean;
  /** Whose it is from the start; one that is made for the pool is nobody's. */
  readonly claim?: SlotClaim;
}

/** Makes a complete checkout on no branch. On failure nothing of it stays. */
export async function prepareSlot(options: SlotOptions, slot: NewSlot): Promise<SlotRecord> {
  const path = join(foldersOf(options.stateDirectory).workspaces, slot.name);
  if (isThere(path)) throw alreadyThere(path);
  const record = announceSlot(options, slot, path);
  try {
    return await completeSlot(options, record);
  } catch (error) {
    await discardSlot(options, record);
    throw error;
  }
}

/** Removes a checkout that no worker has had: there is nothing in it to lose. */
export async function discardSlot(options: SlotOptions, record: SlotRecord): Promise<readonly string[]> {
  await dropLayers(options, record);
  const moved = await unregisterWorktree({ ...options, path: record.path });
  dropPorts(options.portsDirectory, recordFolder(options.stateDirectory, record.name));
  dropRecord(options.stateDirectory, record.name);
  return moved;
}

/**
 * Removes a checkout whose work is saved. Marked first: should we be killed half-way, the next process must not take
 * what is left for the state a worker left it in.
 */
export function retireSlot(options: SlotOptions, record: SlotRecord): Promise<readonly string[]> {
  return discardSlot(options, markUnready(options.stateDirectory, record));
}

/** Before a checkout is changed: one that is killed half-way is never taken for what it was. */
export function markUnready(stateDirectory: string, record: SlotRecord): SlotRecord {
  if (!record.isReady) return record;
  const marked: SlotRecord = { ...record, isReady: false, madeBy: ownIdentity() };
  writeRecord(stateDirectory, marked);
  return marked;
}

/** The note is written first: whatever is killed later, the next process knows whose it was. */
function announceSlot(options: SlotOptions, slot: NewSlot, path: string): SlotRecord {
  const { stateDirectory } = options;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const record: SlotRecord = {
    version: 1,
    name: slot.name,
    commit: slot.commit,
    pooled: slot.pooled,
    path,
    adminDirectory: adminDirectoryOf(options.repository, slot.name),
    isReady: false,
    pointers: null,
    portBase: 0,
    included: [],
    dependencies: [],
    layers: [],
    madeBy: ownIdentity(),
  };
  if (!createRecord(stateDirectory, record, slot.claim)) throw alreadyThere(path);
  return record;
}

async function completeSlot(options: SlotOptions, announced: SlotRecord): Promise<SlotRecord> {
  const folder = recordFolder(options.stateDirectory, announced.name);
  const [filled, furniture, portBase] = await allDone([
    registerAndFill(options, announced),
    stageFurniture(options, announced),
    claimPorts(options.portsDirectory, folder),
  ]);
  const { raw } = filled;
  const furnished = await furnishSlot(options, { record: { ...filled.record, portBase }, raw, furniture });
  const ready = { ...furnished, isReady: true };
  writeRecord(options.stateDirectory, ready);
  return ready;
}

/** Like `Promise.all`, but a failure is only reported when nothing runs any more: what is removed must stay so. */
async function allDone<Results extends readonly unknown[]>(work: {
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

export function ownIdentity(): SlotRecord["madeBy"] {
  return readIdentity(process.pid) ?? { bootId: "", pid: process.pid, startTime: 0 };
}

function alreadyThere(path: string): DelegationError {
  return new DelegationError({
    code: "WORKSPACE_EXISTS",
    message: `There is already a workspace at ${path}`,
    recommendation: "Release it, or look at what it holds with `ambit doctor`.",
    recoverable: true,
  });
}
