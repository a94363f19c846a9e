import { createHash } from "node:crypto";
import { closeSync, constants, copyFileSync, existsSync, openSync, readSync } from "node:fs";
import type { Checkpoint } from "../model/checkpoint.ts";
import { Database } from "./database.ts";
import { readVersion } from "./open-database.ts";
import { projectionVersion } from "./schema.ts";

const CHUNK_BYTES = 1024 * 1024;
const NAMED_DIGITS = 16;

/** Where the checkpoint of a store is. It has its own name, so that a new one never replaces one in use. */
export function checkpointFile(store: string, { digest }: Pick<Checkpoint, "digest">): string {
  return `${checkpointPrefix(store)}${digest.slice(0, NAMED_DIGITS)}`;
}

export function checkpointPrefix(store: string): string {
  return `${store}.checkpoint-`;
}

/** `changed`: the file differs from its noted digest. `unusable`: no file fits this journal and these projections. */
export type CheckpointState = "changed" | "sound" | "unusable";

/** Copies a checkpoint that belongs to the journal, and judges the copy. */
export function copyCheckpoint(
  database: Database,
  checkpoint: Checkpoint,
  { store, to }: { readonly store: string; readonly to: string },
): CheckpointState {
  const from = checkpointFile(store, checkpoint);
  const { events, hash, digest } = checkpoint;
  const isOfJournal = database.text("SELECT hash AS value FROM events WHERE seq = ?", [events]) === hash;
  if (!isOfJournal || !existsSync(from)) return "unusable";
  copyFileSync(from, to, constants.COPYFILE_FICLONE);
  if (digestFile(to) !== digest) return "changed";
  return readProjectionVersion(to) === projectionVersion ? "sound" : "unusable";
}

export function digestFile(file: string): string {
  const hash = createHash("sha256");
  const chunk = Buffer.alloc(CHUNK_BYTES);
  const descriptor = openSync(file, "r");
  try {
    for (;;) {
      const length = readSync(descriptor, chunk, 0, CHUNK_BYTES, null);
      if (length === 0) return hash.digest("hex");
      hash.update(chunk.subarray(0, length));
    }
  } finally {
    closeSync(descriptor);
  }
}

function readProjectionVersion(file: string): number {
  const copy = new Database(file, { readOnly: true });
  try {
    return readVersion(copy);
  } finally {
    copy.close();
  }
}
