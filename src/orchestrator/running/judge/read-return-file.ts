import { readFileRange } from "../../../base/files.ts";
import { returnCaps } from "../../../contract/read-return.ts";

export interface ReturnSource {
  readonly bytes: Uint8Array;
  readonly totalBytes: number;
}

/** Reads a plain file up to the size cap, because a worker could put a link or a pipe there. */
export function readReturnFile(file: string): ReturnSource | undefined {
  const range = readFileRange(file, (size) => ({ start: 0, end: Math.min(size, returnCaps.bytes + 1) }));
  return range === undefined ? undefined : { bytes: range.bytes, totalBytes: range.size };
}
