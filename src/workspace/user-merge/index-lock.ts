import { closeSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { hasErrorCode, readRegularText } from "../../base/files.ts";
import { copyIndexWithTime } from "../git/copy-index.ts";

/**
 * Takes git's own lock on the index of a checkout, so that no git command of the user changes it; returns false if
 * another process has it. The token distinguishes our lock from others, even after we were killed.
 */
export function takeIndexLock(gitDirectory: string, token: string): boolean {
  const path = indexLockPath(gitDirectory);
  try {
    const descriptor = openSync(path, "wx", 0o600);
    writeSync(descriptor, formatLockText(token));
    closeSync(descriptor);
    return true;
  } catch (error) {
    if (!hasErrorCode(error, "EEXIST")) throw error;
    return readRegularText(path) === formatLockText(token);
  }
}

export function releaseIndexLock(gitDirectory: string, token: string): void {
  const path = indexLockPath(gitDirectory);
  if (readRegularText(path) === formatLockText(token)) rmSync(path, { force: true });
  rmSync(temporaryIndexPath(gitDirectory, token), { force: true });
}

/** How long another process has held the lock; undefined if it is free. */
export function indexLockAgeMs(gitDirectory: string): number | undefined {
  const stats = statSync(indexLockPath(gitDirectory), { throwIfNoEntry: false });
  return stats === undefined ? undefined : Math.max(Date.now() - stats.mtimeMs, 0);
}

/** Replaces the index in one step; the lock must be ours. */
export function replaceIndex(gitDirectory: string, newIndex: string, token: string): void {
  const beside = temporaryIndexPath(gitDirectory, token);
  // It must not be newer than the files it describes, or later changes within the same second would be missed.
  copyIndexWithTime(newIndex, beside);
  renameSync(beside, join(gitDirectory, "index"));
}

export function indexLockPath(gitDirectory: string): string {
  return join(gitDirectory, "index.lock");
}

function temporaryIndexPath(gitDirectory: string, token: string): string {
  return join(gitDirectory, `index.ambit-${token}`);
}

function formatLockText(token: string): string {
  return `ambit merge ${token}\n`;
}
