import { copyFileSync, statSync, utimesSync } from "node:fs";

/**
 * Copies an index with its time rounded down. Git compares that time with file times to find files that may have
 * changed within the same second; a copy that looks newer would hide such changes.
 */
export function copyIndexWithTime(from: string, to: string): void {
  // The time is read first: if the index is replaced in the meantime, the copy looks too old, which only costs a second
  // comparison.
  const seconds = Math.floor(statSync(from).mtimeMs / 1000);
  copyFileSync(from, to);
  utimesSync(to, seconds, seconds);
}
