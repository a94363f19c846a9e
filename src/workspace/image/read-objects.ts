import { closeSync, openSync, readSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { getRefPlace, type Repository } from "../git/repository.ts";
import { runGit } from "../git/run-git.ts";
import { randomBase36 } from "../../base/ids.ts";
import { type BlobReceiver, BlobStream } from "./blob-stream.ts";

export interface ObjectsRequest {
  readonly repository: Repository;
  /** Receives temporary files. */
  readonly folder: string;
  /** The blobs, in the order in which they are wanted. */
  readonly ids: readonly string[];
}

/** So few that git works on the next ones while we look at these. */
const IDS_AT_ONCE = 4000;
const AHEAD = 2;
const READ_BYTES = 1024 * 1024;
const READ_TIMEOUT_MS = 3_600_000;

/**
 * Reads the contents of blobs, through files: every piece that came through a pipe would have to wait until the system
 * runs us, and on a busy machine that takes longer than all the rest. False if one of them is not a blob.
 */
export async function readObjects(request: ObjectsRequest, receiver: BlobReceiver): Promise<boolean> {
  const waiting: Promise<number>[] = [];
  try {
    for (let at = 0; at < request.ids.length + AHEAD * IDS_AT_ONCE; at += IDS_AT_ONCE) {
      if (at < request.ids.length) waiting.push(unpackObjects(request, at));
      const first = at < AHEAD * IDS_AT_ONCE ? undefined : waiting.shift();
      if (first !== undefined && !(await readContents(await first, receiver))) return false;
    }
    return true;
  } finally {
    for (const outcome of await Promise.allSettled(waiting))
      if (outcome.status === "fulfilled") closeSync(outcome.value);
  }
}

/** Has git write some of the contents into a file without a name; returns its descriptor. */
async function unpackObjects({ repository, folder, ids }: ObjectsRequest, from: number): Promise<number> {
  const path = join(folder, `objects-${randomBase36(8)}`);
  const file = openSync(path, "wx+", 0o600);
  try {
    rmSync(path);
    await runGit({
      place: getRefPlace(repository),
      arguments: ["cat-file", "--batch", "--buffer"],
      stdin: Buffer.from(
        ids
          .slice(from, from + IDS_AT_ONCE)
          .map((id) => `${id}\n`)
          .join(""),
        "latin1",
      ),
      stdoutFile: file,
      timeoutMs: READ_TIMEOUT_MS,
    });
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

async function readContents(file: number, receiver: BlobReceiver): Promise<boolean> {
  const blobs = new BlobStream(receiver);
  const piece = Buffer.allocUnsafe(READ_BYTES);
  try {
    for (let at = 0; ;) {
      const count = readSync(file, piece, 0, piece.length, at);
      if (count === 0) return blobs.isComplete;
      if (!blobs.read(piece.subarray(0, count))) return false;
      at += count;
      // Other work gets a turn.
      await setImmediate();
    }
  } finally {
    closeSync(file);
  }
}
