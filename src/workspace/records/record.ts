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
import { hasErrorCode, readRegularText, writeFileAtomically } from "../../base/files.ts";
import { randomBase36 } from "../../base/ids.ts";
import { TextMemo } from "../../base/text-memo.ts";
import { workspaceErrors } from "../../errors/workspace.ts";
import { getStateFolders } from "../files/state-folders.ts";

/** A process, as `readIdentity` describes it. */
export const identitySchema = z.strictObject({ bootId: z.string(), pid: z.int(), startTime: z.number() });

const recordSchema = z.strictObject({
  version: z.literal(1),
  name: z.string().min(1),
  path: z.string().min(1),
  adminDirectory: z.string().min(1),
  pooled: z.boolean(),
  /** False while the checkout is being created and may be incomplete. */
  isReady: z.boolean(),
  /** The exact content of its `.git` file and of the pointer files that git made for it. */
  pointers: z
    .strictObject({
      gitFile: z.string(),
      gitdir: z.string(),
      commondir: z.string(),
      worktreeConfig: z.string().nullable(),
    })
    .nullable(),
  /** The user's checkout that its dependencies and included files come from. */
  source: z.string().default(""),
  /** The recipe that prepared it, apart from the commit: settings, list of included files. */
  recipe: z.string().default(""),
  /** The commit that the tree and both indexes hold. */
  commit: z.string(),
  portBase: z.int(),
  included: z.array(z.strictObject({ path: z.string(), signature: z.string() })),
  dependencies: z.array(
    z.strictObject({
      path: z.string(),
      way: z.enum(["overlay", "copy"]),
      /** The state of the user's folder that was copied. */
      source: z.string(),
      /** The fingerprint of the new copy; it reveals changes by a worker. */
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

/** Files that are read at every step of a delegation. */
class ParsedFiles<Schema extends z.ZodType> {
  readonly #schema: Schema;
  readonly #memo = new TextMemo<z.infer<Schema>>();

  constructor(schema: Schema) {
    this.#schema = schema;
  }

  read(path: string): z.infer<Schema> | undefined {
    const text = readRegularText(path);
    return text === undefined ? undefined : this.parse(path, text);
  }

  parse(path: string, text: string): z.infer<Schema> {
    try {
      return this.#memo.find(path, text) ?? this.#memo.keep(path, text, this.#schema.parse(JSON.parse(text)));
    } catch (error) {
      throw workspaceErrors.recordBroken(path, error);
    }
  }
}

const records = new ParsedFiles(recordSchema);
const claims = new ParsedFiles(claimSchema);

const RECORD = "record.json";
const CLAIM = "claim.json";

/** Our own data about one checkout: enough to find, check and reset it after any crash. */
export type SlotRecord = Readonly<z.infer<typeof recordSchema>>;
/** The delegation that a checkout was given to. */
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
  return join(getStateFolders(stateDirectory).records, name);
}

/** Our own index of a checkout; the worker has another one. */
export function ownIndexPath(stateDirectory: string, name: string): string {
  return join(recordFolder(stateDirectory, name), "index");
}

/** Rules for ignored files that `workspace.setup` left, as lines of an exclude file. */
export function ownIgnoresPath(stateDirectory: string, name: string): string {
  return join(recordFolder(stateDirectory, name), "ignores");
}

/** Exists if `workspace.setup` left more than ignored files: the files are not exactly those of the commit. */
export function setUpChangesPath(stateDirectory: string, name: string): string {
  return join(recordFolder(stateDirectory, name), "setup-changes");
}

/** Creates the complete record folder, or returns false if the name is taken. */
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
    if (hasErrorCode(error, "ENOTEMPTY") || hasErrorCode(error, "EEXIST")) return false;
    throw error;
  }
}

export function writeSlotRecord(stateDirectory: string, record: SlotRecord): void {
  writeFileAtomically(recordFilePath(stateDirectory, record.name), `${JSON.stringify(record)}\n`);
}

export function readSlot(stateDirectory: string, name: string): Slot | undefined {
  const record = records.read(recordFilePath(stateDirectory, name));
  return record === undefined
    ? undefined
    : { record, claim: claims.read(claimFilePath(stateDirectory, name)) };
}

/** Names of all record folders, readable or not; incomplete ones start with a dot. */
export function listRecordNames(stateDirectory: string): readonly string[] {
  const { records } = getStateFolders(stateDirectory);
  return existsSync(records) ? readdirSync(records).filter((name) => !name.startsWith(".")) : [];
}

/** Lists all checkouts with a readable record; `ambit doctor` reports the others. */
export function listSlots(stateDirectory: string): readonly Slot[] {
  return listRecordNames(stateDirectory).flatMap((name) => tryReadSlot(stateDirectory, name) ?? []);
}

export function tryReadSlot(stateDirectory: string, name: string): Slot | undefined {
  try {
    return readSlot(stateDirectory, name);
  } catch {
    // One damaged record must not stop work on all other workspaces.
    return undefined;
  }
}

/** The last known slot of each delegation, which is tried first; the files there decide. */
const lastNames = new Map<string, string>();
const MAX_NAMES = 1000;

/**
 * Finds the checkout that was given to a delegation; never one that is still being created or already being removed.
 */
export function findClaimedSlot(stateDirectory: string, id: string): ClaimedSlot | undefined {
  const last = lastNames.get(join(stateDirectory, id));
  const there = last === undefined ? undefined : readIfClaimed(stateDirectory, last, id);
  if (there !== undefined) return there;
  for (const name of listRecordNames(stateDirectory)) {
    const found = readIfClaimed(stateDirectory, name, id);
    if (found === undefined) continue;
    rememberSlotName(stateDirectory, id, name);
    return found;
  }
  return undefined;
}

/** Only a claim that mentions the delegation is parsed. */
function readIfClaimed(stateDirectory: string, name: string, id: string): ClaimedSlot | undefined {
  const file = claimFilePath(stateDirectory, name);
  const text = readRegularText(file);
  if (text?.includes(JSON.stringify(id)) !== true) return undefined;
  try {
    const record = records.read(recordFilePath(stateDirectory, name));
    const claim = claims.parse(file, text);
    return record?.isReady === true && claim.id === id ? { record, claim } : undefined;
  } catch {
    // One damaged record must not stop work on all other workspaces.
    return undefined;
  }
}

function rememberSlotName(stateDirectory: string, id: string, name: string): void {
  lastNames.set(join(stateDirectory, id), name);
  const oldest = lastNames.size > MAX_NAMES ? lastNames.keys().next().value : undefined;
  if (oldest !== undefined) lastNames.delete(oldest);
}

export function readClaimedSlot(stateDirectory: string, id: string): ClaimedSlot {
  const slot = findClaimedSlot(stateDirectory, id);
  if (slot !== undefined) return slot;
  throw workspaceErrors.notFound(id);
}

/** Claims a checkout for a delegation. If several processes try at once, one gets it. */
export function claimSlot(stateDirectory: string, name: string, claim: SlotClaim): boolean {
  const file = claimFilePath(stateDirectory, name);
  const beside = `${file}.${randomBase36(8)}`;
  try {
    writeFileSync(beside, `${JSON.stringify(claim)}\n`, { mode: 0o600, flag: "wx" });
    // A link is atomic, so no reader ever sees half a claim.
    linkSync(beside, file);
    rememberSlotName(stateDirectory, claim.id, name);
    return true;
  } catch (error) {
    if (hasErrorCode(error, "EEXIST") || hasErrorCode(error, "ENOENT")) return false;
    throw error;
  } finally {
    // The second name is useless now; its removal can wait until the caller has its checkout.
    unlink(beside, () => undefined);
  }
}

/** Passes a checkout on from one claim to another; no other process can take it in between. */
export function changeClaim(stateDirectory: string, name: string, claim: SlotClaim): void {
  writeFileAtomically(claimFilePath(stateDirectory, name), `${JSON.stringify(claim)}\n`);
  rememberSlotName(stateDirectory, claim.id, name);
}

export function removeClaim(stateDirectory: string, name: string): void {
  rmSync(claimFilePath(stateDirectory, name), { force: true });
}

/** The record is moved away first, so that no half-deleted record is ever seen. */
export function removeRecord(stateDirectory: string, name: string): void {
  const { trash } = getStateFolders(stateDirectory);
  mkdirSync(trash, { recursive: true, mode: 0o700 });
  const away = join(trash, `record-${name}-${randomBase36(8)}`);
  try {
    renameSync(recordFolder(stateDirectory, name), away);
  } catch (error) {
    if (!hasErrorCode(error, "ENOENT")) throw error;
  }
  rmSync(away, { recursive: true, force: true });
}

function recordFilePath(stateDirectory: string, name: string): string {
  return join(recordFolder(stateDirectory, name), RECORD);
}

function claimFilePath(stateDirectory: string, name: string): string {
  return join(recordFolder(stateDirectory, name), CLAIM);
}
