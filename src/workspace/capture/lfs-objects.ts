import { createHash, randomUUID } from "node:crypto";
import { closeSync, mkdirSync, openSync, readSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { openWithoutFollowing, pathExists } from "../../base/files.ts";

/** The text with which each pointer of Git LFS begins. */
export const POINTER_START = "version https://git-lfs.github.com/spec/v1\n";
const CHUNK_BYTES = 1024 * 1024;

interface FileHash {
  readonly hash: string;
  /** The first bytes, enough to recognise a pointer. */
  readonly start: string;
}

export function hashFile(path: Buffer | string): FileHash {
  return readInChunks(path, () => undefined);
}

/** Stores the content of a file where Git LFS looks for it. False if it is not the content with this hash. */
export function storeLfsObject(source: Buffer | string, lfsDirectory: string, hash: string): boolean {
  const target = join(lfsDirectory, "objects", hash.slice(0, 2), hash.slice(2, 4), hash);
  if (pathExists(target)) return true;
  const copy = join(lfsDirectory, "tmp", `ambit-${randomUUID()}`);
  for (const folder of [dirname(copy), dirname(target)]) mkdirSync(folder, { recursive: true });
  try {
    // The copy is kept, so its hash decides.
    if (copyAndHash(source, copy) !== hash) return false;
    renameSync(copy, target);
    return true;
  } finally {
    rmSync(copy, { force: true });
  }
}

function copyAndHash(source: Buffer | string, target: string): string {
  const descriptor = openSync(target, "wx");
  try {
    return readInChunks(source, (chunk) => {
      for (let at = 0; at < chunk.length;) at += writeSync(descriptor, chunk, at);
    }).hash;
  } finally {
    closeSync(descriptor);
  }
}

function readInChunks(path: Buffer | string, take: (chunk: Buffer) => void): FileHash {
  const hash = createHash("sha256");
  const buffer = Buffer.alloc(CHUNK_BYTES);
  let start: string | undefined;
  const descriptor = openWithoutFollowing(path);
  try {
    for (let read = readSync(descriptor, buffer); read > 0; read = readSync(descriptor, buffer)) {
      const chunk = buffer.subarray(0, read);
      start ??= chunk.toString("latin1", 0, POINTER_START.length);
      hash.update(chunk);
      take(chunk);
    }
  } finally {
    closeSync(descriptor);
  }
  return { hash: hash.digest("hex"), start: start ?? "" };
}
