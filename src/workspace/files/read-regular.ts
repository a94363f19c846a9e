import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/** Any file of ours or of git's that is larger than this has been tampered with. */
const LARGEST_BYTES = 16 * 1024 * 1024;

/**
 * Reads a plain file, or returns undefined. A worker may have put a link, a pipe or a folder in its place; none of
 * them is followed, waited for or read.
 */
export function readRegular(path: string | Buffer): Buffer | undefined {
  const descriptor = openPlain(path);
  if (descriptor === undefined) return undefined;
  try {
    const stats = fstatSync(descriptor);
    return stats.isFile() && stats.size <= LARGEST_BYTES ? readFileSync(descriptor) : undefined;
  } finally {
    closeSync(descriptor);
  }
}

export function readRegularText(path: string | Buffer): string | undefined {
  return readRegular(path)?.toString("utf8");
}

function openPlain(path: string | Buffer): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    // Missing, a link, or unreadable: in each case this is not a plain file.
    return undefined;
  }
}
