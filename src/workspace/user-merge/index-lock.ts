import { linkSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasErrorCode, readRegularText } from "../../base/files.ts";
import { copyIndexWithTime } from "../git/copy-index.ts";

/**
 * Takes git's own lock on the index of a checkout, so that no git command of the user changes it; returns false if
 * another process has it. The token distinguishes our lock from others, even after we were killed.
 */
export function takeIndexLock(gitDirectory: string, token: string): boolean {
  const [path, text] = [indexLockPath(gitDirectory), formatLockText(token)];
  const beside = temporaryIndexPath(gitDirectory, token);
  try {
    writeFileSync(beside, text, { mode: 0o600 });
    createLock({ beside, path, text });
    return true;
  } catch (error) {
    if (!hasErrorCode(error, "EEXIST")) throw error;
    return readRegularText(path) === text;
  } finally {
    rmSync(beside, { force: true });
  }
}

/** A link appears with its whole content, so that our lock can be recognised whenever we are killed. */
function createLock({ beside, path, text }: Readonly<Record<"beside" | "path" | "text", string>>): void {
  try {
    linkSync(beside, path);
  } catch (error) {
    if (hasErrorCode(error, "EEXIST")) throw error;
    // Some file systems have no links.
    writeFileSync(path, text, { mode: 0o600, flag: "wx" });
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

/** Writes the new index next to the old one; every step that needs disk space happens here. */
export function stageIndex(gitDirectory: string, newIndex: string, token: string): void {
  // It must not be newer than the files it describes, or later changes within the same second would be missed.
  copyIndexWithTime(newIndex, temporaryIndexPath(gitDirectory, token));
}

/** Replaces the index by the staged one, in one step; the lock must be ours. */
export function replaceIndex(gitDirectory: string, token: string): void {
  renameSync(temporaryIndexPath(gitDirectory, token), join(gitDirectory, "index"));
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
