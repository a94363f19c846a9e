import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { hasErrorCode, readRegularText, writeFileAtomically } from "../../base/files.ts";
import { randomBase36 } from "../../base/ids.ts";
import { identitySchema } from "../records/record.ts";
import { readOwnIdentity } from "../slots/prepare-slot.ts";
import { type SandboxFolders, sandboxesFolder, sandboxFolders } from "./folders.ts";

const recordSchema = z.strictObject({
  version: z.literal(1),
  base: z.string(),
  /** False until a worker may get it; before that it holds no work. */
  isReady: z.boolean(),
  madeBy: identitySchema,
});

export type SandboxRecord = Readonly<z.infer<typeof recordSchema>>;

/** Creates the folders of a sandbox with its record in them from the start; undefined if the name is taken. */
export function announceSandbox(
  stateDirectory: string,
  { id, base }: { readonly id: string; readonly base: string },
): SandboxFolders | undefined {
  const folders = sandboxFolders(stateDirectory, id);
  const name = `.${id}.${String(process.pid)}-${randomBase36(8)}`;
  const beside = join(sandboxesFolder(stateDirectory), name);
  mkdirSync(beside, { recursive: true, mode: 0o700 });
  try {
    writeSandboxRecord(beside, { version: 1, base, isReady: false, madeBy: readOwnIdentity() });
    renameSync(beside, folders.root);
  } catch (error) {
    rmSync(beside, { recursive: true, force: true });
    if (hasErrorCode(error, "ENOTEMPTY") || hasErrorCode(error, "EEXIST") || hasErrorCode(error, "ENOTDIR"))
      return undefined;
    throw error;
  }
  for (const path of [folders.clone, folders.outbox, folders.home, folders.temporary])
    mkdirSync(path, { mode: 0o700 });
  return folders;
}

/** From now on a worker may use the sandbox. */
export function markSandboxReady(folders: SandboxFolders, base: string): void {
  writeSandboxRecord(folders.root, { version: 1, base, isReady: true, madeBy: readOwnIdentity() });
}

/** Undefined if the record is missing or damaged; then only the content of the sandbox can tell. */
export function readSandboxRecord({ root }: Pick<SandboxFolders, "root">): SandboxRecord | undefined {
  const text = readRegularText(sandboxRecordPath(root));
  try {
    return text === undefined ? undefined : recordSchema.parse(JSON.parse(text));
  } catch {
    // A damaged record counts as missing.
    return undefined;
  }
}

/** Ids of all sandboxes, with or without a worker; names of those being created start with a dot. */
export function listSandboxes(stateDirectory: string): readonly string[] {
  const folder = sandboxesFolder(stateDirectory);
  return existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith(".")) : [];
}

function writeSandboxRecord(root: string, record: SandboxRecord): void {
  writeFileAtomically(sandboxRecordPath(root), `${JSON.stringify(record)}\n`);
}

function sandboxRecordPath(root: string): string {
  return join(root, "sandbox.json");
}
