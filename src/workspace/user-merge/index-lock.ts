import { closeSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { hasCode } from "../files/has-code.ts";
import { readRegularText } from "../files/read-regular.ts";
import { copyIndexWithTime } from "../git/copy-index.ts";

/**
 * Takes git's own lock over the index of a checkout, so that no git command of the user changes it meanwhile; answers
 * false where somebody else has it. The token tells our lock from theirs, also after we were killed.
 */
export function takeIndexLock(gitDirectory: string, token: string): boolean {
  const path = lockOf(gitDirectory);
  try {
    const descriptor = openSync(path, "wx", 0o600);
    writeSync(descriptor, lockText(token));
    closeSync(descriptor);
    return true;
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
    return readRegularText(path) === lockText(token);
  }
}

export function dropIndexLock(gitDirectory: string, token: string): void {
  const path = lockOf(gitDirectory);
  if (readRegularText(path) === lockText(token)) rmSync(path, { force: true });
  rmSync(besideOf(gitDirectory, token), { force: true });
}

/** How long somebody has held the lock, or undefined where nobody has it. */
export function indexLockAgeMs(gitDirectory: string): number | undefined {
  const stats = statSync(lockOf(gitDirectory), { throwIfNoEntry: false });
  return stats === undefined ? undefined : Math.max(Date.now() - stats.mtimeMs, 0);
}

/** Puts a new index in place, at once; the lock must be ours. */
export function replaceIndex(gitDirectory: string, newIndex: string, token: string): void {
  const beside = besideOf(gitDirectory, token);
  // Not younger than the files it describes, or later changes to them within the same second would not be seen.
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
