import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { DelegationError } from "../../base/delegation-error.ts";
import { readIdentity } from "../../containment/process-identity.ts";
import { withProgress } from "../files/progress.ts";
import { isThere } from "../files/safe-path.ts";
import { foldersOf } from "../names.ts";
import { dropLayers } from "../prepare/layers.ts";
import { claimPorts, dropPorts } from "../prepare/ports.ts";
import { layTree } from "../prepare/tree-template.ts";
import { checkOut, syncIndex } from "./check-out.ts";
import { cleanAdmin } from "./clean-admin.ts";
import { furnishSlot, stageFurniture } from "./furnish.ts";
import { createRecord, dropRecord, recordFolder, type SlotRecord, writeRecord } from "./record.ts";
import type { SlotOptions } from "./slot-options.ts";
import { adminDirectoryOf, registerWorktree, unregisterWorktree } from "./register.ts";

export interface NewSlot {
  /** Also the name of the folder and of git's notes: unique, as equal names make concurrent creations fail. */
  readonly name: string;
  readonly commit: string;
  readonly pooled: boolean;
}

/** Makes a complete checkout on no branch. On failure nothing of it stays. */
export async function prepareSlot(options: SlotOptions, slot: NewSlot): Promise<SlotRecord> {
  const path = join(foldersOf(options.stateDirectory).workspaces, slot.name);
  if (isThere(path)) throw alreadyThere(path);
  const record = announceSlot(options, slot, path);
  try {
    return await fillSlot(options, record);
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

/** The note is written first: whatever is killed later, the next process knows whose it was. */
function announceSlot(options: SlotOptions, slot: NewSlot, path: string): SlotRecord {
  const { stateDirectory } = options;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const record: SlotRecord = {
    version: 1,
    ...slot,
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
  if (!createRecord(stateDirectory, record)) throw alreadyThere(path);
  return record;
}

async function fillSlot(options: SlotOptions, announced: SlotRecord): Promise<SlotRecord> {
  const folder = recordFolder(options.stateDirectory, announced.name);
  const [filled, furniture, portBase] = await allDone([
    registerAndFill(options, announced),
    stageFurniture(options, announced),
    claimPorts(options.portsDirectory, folder),
  ]);
  const furnished = await furnishSlot(options, { ...filled, portBase }, furniture);
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

async function registerAndFill(options: SlotOptions, announced: SlotRecord): Promise<SlotRecord> {
  const { path, commit } = announced;
  const pointers = await withProgress("registering", options.onProgress, () =>
    registerWorktree({ ...options, path, commit }),
  );
  const registered = { ...announced, pointers };
  const filled = await withProgress("checking-out", options.onProgress, () => fillTree(options, registered));
  cleanAdmin(filled);
  return filled;
}

/** Pooled checkouts hold files of their own; one that is used once may share a template's. */
async function fillTree(options: SlotOptions, record: SlotRecord): Promise<SlotRecord> {
  const layer = record.pooled ? undefined : await layTree(options, record);
  if (layer === undefined) {
    await checkOut(options, record, record.commit);
    return record;
  }
  syncIndex(options.stateDirectory, record);
  return { ...record, layers: [layer] };
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
