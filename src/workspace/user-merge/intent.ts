import { rmSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { readRegularText, writeFileAtomically } from "../../base/files.ts";
import { isObjectId } from "../git/read-head.ts";

const objectId = z.string().refine(isObjectId);

const treePair = z.strictObject({ from: objectId, to: objectId });

/** Index and files at the touched paths, if they hold uncommitted edits of the user's. */
export const editsSchema = z.strictObject({ index: treePair, files: treePair });

/** Permissions of files that the merge removes, by path (Latin-1): git would restore them readable for everyone. */
export const permissionsSchema = z.record(z.string(), z.int().min(0).max(0o777));

/** Permissions of folders that the merge removes, or puts a first file into, by path (Latin-1). */
export const foldersSchema = z.record(z.string(), z.int().min(0).max(0o7777));

/** Marks of index entries that the merge removes, by path (Latin-1). */
export const marksSchema = z.record(z.string(), z.enum(["h", "S", "s"]));

/** Blobs with the exact bytes of files, by path (Latin-1). */
export const exactSchema = z.record(z.string(), objectId);

const intentSchema = z.strictObject({
  version: z.literal(1),
  story: z.string().min(1),
  direction: z.enum(["merge", "undo"]),
  way: z.enum(["fast-forward", "merge-commit", "squash"]),
  /** `refs/heads/…` */
  branch: z.string().min(1),
  from: objectId,
  to: objectId,
  /** The commit of the story that is merged. */
  tip: objectId.optional(),
  /** The checkout that has the branch checked out and must move with its files; null if only the ref moves. */
  checkout: z.strictObject({ workTree: z.string(), gitDirectory: z.string() }).nullable(),
  edits: editsSchema.optional(),
  permissions: permissionsSchema.optional(),
  folders: foldersSchema.optional(),
  marks: marksSchema.optional(),
  /** The files that the move replaces or removes. */
  replaced: exactSchema.optional(),
  /** For an undo: the files that its merge replaced or removed. */
  restored: exactSchema.optional(),
  token: z.string().min(1),
  timeSeconds: z.int(),
});

/** A move of the user's branch in progress; written before the first change to the user's data. */
export type MergeIntent = Readonly<z.infer<typeof intentSchema>>;

export function writeMergeIntent(stateDirectory: string, intent: MergeIntent): void {
  writeFileAtomically(intentFilePath(stateDirectory), `${JSON.stringify(intent)}\n`);
}

export function readMergeIntent(stateDirectory: string): MergeIntent | undefined {
  const text = readRegularText(intentFilePath(stateDirectory));
  return text === undefined ? undefined : intentSchema.parse(JSON.parse(text));
}

export function removeMergeIntent(stateDirectory: string): void {
  rmSync(intentFilePath(stateDirectory), { force: true });
}

function intentFilePath(stateDirectory: string): string {
  return join(stateDirectory, "user-merge.json");
}
