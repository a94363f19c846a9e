import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { returnCaps } from "../../../contract/read-return.ts";

export interface ReturnSource {
  readonly bytes: Uint8Array;
  readonly totalBytes: number;
}

/** A worker could put a link or a pipe there; only a plain file is read, and of that not more than the cap. */
export function readReturnFile(file: string): ReturnSource | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    // Not there, or not a plain file: the worker left nothing we would read.
    return undefined;
  }
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) return undefined;
    const bytes = Buffer.alloc(Math.min(stat.size, returnCaps.bytes + 1));
    const read = readSync(descriptor, bytes, 0, bytes.length, 0);
    return { bytes: bytes.subarray(0, read), totalBytes: stat.size };
  } finally {
    closeSync(descriptor);
  }
}
