import { closeSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { hasErrorCode, readRegularText } from "../../base/files.ts";
import { copyIndexWithTime } from "../git/copy-index.ts";

/**
 * Takes git's own lock on the index of a checkout, so that no git command of the user changes it; returns false if
 * another process has it. The token distinguishes our lock from others, even after we were killed.
 */
export function takeIndexLock(gitDirectory: string, token: string): boolean {
  const path = lockOf(gitDirectory);
  try {
    const descriptor = openSync(path, "wx", 0o600);
    writeSync(descriptor, lockText(token));
    closeSync(descriptor);
    return true;
  } catch (error) {
    if (!hasErrorCode(error, "EEXIST")) throw error;
    return readRegularText(path) === lockText(token);
  }
}

export function dropIndexLock(gitDirectory: string, token: string): void {
  const path = lockOf(gitDirectory);
  if (readRegularText(path) === lockText(token)) rmSync(path, { force: true });
  rmSync(besideOf(gitDirectory, token), { force: true });
}

/** How long another process has held the lock; undefined if it is free. */
export function indexLockAgeMs(gitDirectory: string): number | undefined {
  const stats = statSync(lockOf(gitDirectory), { throwIfNoEntry: false });
  return stats === undefined ? undefined : Math.max(Date.now() - stats.mtimeMs, 0);
}

/** Replaces the index in one step; the lock must be ours. */
export function replaceIndex(gitDirectory: string, newIndex: string, token: string): void {
  const beside = besideOf(gitDirectory, token);
  // It must not be newer than the files it describes, or later changes within the same second would be missed.
  copyIndexWithTime(newIndex, beside);
  renameSync(beside, join(gitDirectory, "index"));
}

export function lockOf(gitDirectory: string): string {
  return join(gitDirectory, "index.lock");
}

function besideOf(gitDirectory: string, token: string): string {
  return join(gitDirectory, `index.ambit-${token}`);
}

function lockText(token: string): string {
  return `ambit merge ${token}\n`;
}
