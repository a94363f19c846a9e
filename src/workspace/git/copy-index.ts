import { copyFileSync, statSync, utimesSync } from "node:fs";

/**
 * Copies an index with its time, rounded down. Git compares that time with those of files to know which of them may
 * have changed since within the same second; a copy that looks newer would hide such changes.
 */
export function copyIndexWithTime(from: string, to: string): void {
  // Asked before: should the index be replaced meanwhile, the copy looks too old, which only costs a second look.
  const seconds = Math.floor(statSync(from).mtimeMs / 1000);
  copyFileSync(from, to);
  utimesSync(to, seconds, seconds);
}
