import { closeSync, openSync, readSync } from "node:fs";

const shared = Buffer.allocUnsafe(8192);

/** Reads the beginning of a file of /proc at once; the usual way asks for its size first, which is always 0 there. */
export function readSmallFile(path: string): string {
  const descriptor = openSync(path, "r");
  try {
    return shared.toString("latin1", 0, readSync(descriptor, shared, 0, shared.length, 0));
  } finally {
    closeSync(descriptor);
  }
}
