import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

const MAX_FILES = 20_000;
const MAX_BYTES = 1024 * 1024 * 1024;

/** Whether a file or folder is small enough to be copied into every workspace. */
export function isSmall(path: string): boolean {
  const left = { files: MAX_FILES, bytes: MAX_BYTES };
  try {
    return measure(path, left);
  } catch {
    // It is gone or closed to us, so it cannot be copied either.
    return false;
  }
}

function measure(path: string, left: { files: number; bytes: number }): boolean {
  const stats = lstatSync(path);
  left.files -= 1;
  left.bytes -= stats.isFile() ? stats.size : 0;
  if (left.files < 0 || left.bytes < 0) return false;
  return !stats.isDirectory() || readdirSync(path).every((name) => measure(join(path, name), left));
}
