import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  unlink,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";
import { DelegationError, messageOf } from "../../base/delegation-error.ts";
import { randomBase36 } from "../../base/ids.ts";
import { hasCode } from "../files/has-code.ts";
import { readRegularText } from "../files/read-regular.ts";
import { foldersOf } from "../files/state-folders.ts";
import { writeAtomic } from "../files/write-atomic.ts";

/** A process, as `readIdentity` describes it. */
export const identitySchema = z.strictObject({ bootId: z.string(), pid: z.int(), startTime: z.number() });

const recordSchema = z.strictObject({
  version: z.literal(1),
  name: z.string().min(1),
  path: z.string().min(1),
  adminDirectory: z.string().min(1),
  pooled: z.boolean(),
  /** Being made; what is there may be half done. */
  isReady: z.boolean(),
  /** The exact content of its `.git` file and of the pointer files git made for it. */
  pointers: z
    .strictObject({
      gitFile: z.string(),
      gitdir: z.string(),
      commondir: z.string(),
      worktreeConfig: z.string().nullable(),
    })
    .nullable(),
  /** What the tree and both indexes hold. */
  commit: z.string(),
  portBase: z.int(),
  included: z.array(z.strictObject({ path: z.string(), signature: z.string() })),
  dependencies: z.array(
    z.strictObject({
      path: z.string(),
      way: z.enum(["overlay", "copy"]),
      /** Which state of the user's folder this is a copy of. */
      source: z.string(),
      /** What the copy looked like when it was made; a worker's change shows. */
      seal: z.string(),
    }),
  ),
  /** Mounted in this order: shared files below, the first on top; `folder` holds the changes. */
  layers: z.array(z.strictObject({ lower: z.array(z.string()), target: z.string(), folder: z.string() })),
  madeBy: identitySchema,
});

const claimSchema = z.strictObject({
  version: z.literal(1),
  id: z.string().min(1),
  base: z.string().min(1),
  claimedBy: identitySchema,
});

const RECORD = "record.json";
const CLAIM = "claim.json";

/** Our own notes about one checkout: enough to find, check and reset it after any crash. */
export type SlotRecord = Readonly<z.infer<typeof recordSchema>>;
/** To which delegation a checkout was given. */
export type SlotClaim = Readonly<z.infer<typeof claimSchema>>;

export interface Slot {
  readonly record: SlotRecord;
  readonly claim: SlotClaim | undefined;
}

export interface ClaimedSlot {
  readonly record: SlotRecord;
  readonly claim: SlotClaim;
}

export function recordFolder(stateDirectory: string, name: string): string {
  return join(foldersOf(stateDirectory).records, name);
}

/** Our own index of a checkout; the worker has another one. */
export function ownIndexOf(stateDirectory: string, name: string): string {
  return join(recordFolder(stateDirectory, name), "index");
}

/** Rules for what `workspace.setup` left that git ignores, as lines of an exclude file. */
export function ownIgnoresOf(stateDirectory: string, name: string): string {
  return join(recordFolder(stateDirectory, name), "ignores");
}

/** Makes the record folder, complete, or answers false where the name is taken. */
export function createRecord(stateDirectory: string, record: SlotRecord, claim?: SlotClaim): boolean {
  const folder = recordFolder(stateDirectory, record.name);
  const beside = join(dirname(folder), `.${record.name}.${String(process.pid)}-${randomBase36(8)}`);
  mkdirSync(beside, { recursive: true, mode: 0o700 });
  writeFileSync(join(beside, RECORD), `${JSON.stringify(record)}\n`, { mode: 0o600 });
  if (claim !== undefined) writeFileSync(join(beside, CLAIM), `${JSON.stringify(claim)}\n`, { mode: 0o600 });
  try {
    renameSync(beside, folder);
    return true;
  } catch (error) {
    rmSync(beside, { recursive: true, force: true });
    if (hasCode(error, "ENOTEMPTY") || hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

export function writeRecord(stateDirectory: string, record: SlotRecord): void {
  writeAtomic(recordFile(stateDirectory, record.name), `${JSON.stringify(record)}\n`);
}

export function readSlot(stateDirectory: string, name: string): Slot | undefined {
  const record = parseFile(recordFile(stateDirectory, name), recordSchema);
  if (record === undefined) return undefined;
  return { record, claim: parseFile(claimFile(stateDirectory, name), claimSchema) };
}

/** Names of all record folders, readable or not; those that are being made start with a dot. */
export function listRecordNames(stateDirectory: string): readonly string[] {
  const { records } = foldersOf(stateDirectory);
  return existsSync(records) ? readdirSync(records).filter((name) => !name.startsWith(".")) : [];
}

/** All checkouts whose record can be read; `ambit doctor` names the others. */
export function listSlots(stateDirectory: string): readonly Slot[] {
  return listRecordNames(stateDirectory).flatMap((name) => tryReadSlot(stateDirectory, name) ?? []);
}

export function tryReadSlot(stateDirectory: string, name: string): Slot | undefined {
  try {
    return readSlot(stateDirectory, name);
  } catch {
    // One damaged note must not stop work on all other workspaces.
    return undefined;
  }
}

/** Where a delegation's checkout was last found: where to look first. What lies there decides. */
const lastNames = new Map<string, string>();
const MOST_NAMES = 1000;

/** The checkout that was given to a delegation; none that is still being made, or already being removed. */
export function findClaimed(stateDirectory: string, id: string): ClaimedSlot | undefined {
  const last = lastNames.get(join(stateDirectory, id));
  const there = last === undefined ? undefined : ifClaimed(stateDirectory, last, id);
  if (there !== undefined) return there;
  for (const name of listRecordNames(stateDirectory)) {
    const found = ifClaimed(stateDirectory, name, id);
    if (found !== undefined) return remember(stateDirectory, found);
  }
  return undefined;
}

/** Only a note that speaks of the delegation is taken apart. */
function ifClaimed(stateDirectory: string, name: string, id: string): ClaimedSlot | undefined {
  const text = readRegularText(claimFile(stateDirectory, name));
  if (text?.includes(JSON.stringify(id)) !== true) return undefined;
  const { record, claim } = tryReadSlot(stateDirectory, name) ?? {};
  return record?.isReady === true && claim?.id === id ? { record, claim } : undefined;
}

function remember(stateDirectory: string, found: ClaimedSlot): ClaimedSlot {
  lastNames.set(join(stateDirectory, found.claim.id), found.record.name);
  const oldest = lastNames.size > MOST_NAMES ? lastNames.keys().next().value : undefined;
  if (oldest !== undefined) lastNames.delete(oldest);
  return found;
}

export function readClaimed(stateDirectory: string, id: string): ClaimedSlot {
  const slot = findClaimed(stateDirectory, id);
  if (slot !== undefined) return slot;
  throw new DelegationError({
    code: "WORKSPACE_NOT_FOUND",
    message: `No workspace of ours belongs to ${id}`,
    recommendation: "It may have been released already; its work is kept under refs/ambit/work.",
  });
}

/** Takes a checkout for a delegation. Of several processes that try at once, one gets it. */
export function claimSlot(stateDirectory: string, name: string, claim: SlotClaim): boolean {
  const file = claimFile(stateDirectory, name);
  const beside = `${file}.${randomBase36(8)}`;
  try {
    writeFileSync(beside, `${JSON.stringify(claim)}\n`, { mode: 0o600, flag: "wx" });
    // A link is all or nothing, so no reader ever sees half a claim.
    linkSync(beside, file);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST") || hasCode(error, "ENOENT")) return false;
    throw error;
  } finally {
    // The second name is only litter by now; removing it can wait until the caller has its checkout.
    unlink(beside, () => undefined);
  }
}

export function dropClaim(stateDirectory: string, name: string): void {
  rmSync(claimFile(stateDirectory, name), { force: true });
}

/** Moved away first: a record that is only half there would be nobody's. */
export function dropRecord(stateDirectory: string, name: string): void {
  const { trash } = foldersOf(stateDirectory);
  mkdirSync(trash, { recursive: true, mode: 0o700 });
  const away = join(trash, `record-${name}-${randomBase36(8)}`);
  try {
    renameSync(recordFolder(stateDirectory, name), away);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
  rmSync(away, { recursive: true, force: true });
}

function recordFile(stateDirectory: string, name: string): string {
  return join(recordFolder(stateDirectory, name), RECORD);
}

function claimFile(stateDirectory: string, name: string): string {
  return join(recordFolder(stateDirectory, name), CLAIM);
}

function parseFile<Schema extends z.ZodType>(path: string, schema: Schema): z.infer<Schema> | undefined {
  const text = readRegularText(path);
  if (text === undefined) return undefined;
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new DelegationError({
      code: "WORKSPACE_RECORD_BROKEN",
      message: `${path} cannot be read: ${messageOf(error)}`,
      recommendation: "Look at the workspace beside it, then let `ambit doctor --fix` put both away.",
      cause: error,
    });
  }
}
