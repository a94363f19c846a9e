import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { returnCaps } from "../../../contract/read-return.ts";

export interface ReturnSource {
  readonly bytes: Uint8Array;
  readonly totalBytes: number;
}

/** Reads a plain file up to the size cap, because a worker could put a link or a pipe there. */
export function readReturnFile(file: string): ReturnSource | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    // Missing, or not a plain file: the worker left nothing readable.
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
