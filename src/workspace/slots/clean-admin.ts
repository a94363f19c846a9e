import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writeAtomic } from "../files/write-atomic.ts";
import type { SlotRecord } from "../records/record.ts";

/** Without these git no longer knows the worktree. All else there is what a worker's commands left behind. */
const needed = new Set(["HEAD", "commondir", "gitdir", "index", "config.worktree"]);

/**
 * Removes from git's notes about a worktree everything one worker's commands left: its log of commits, half-done
 * merges, locks. The next worker would read them.
 */
export function cleanAdmin(record: Pick<SlotRecord, "adminDirectory" | "commit" | "pooled">): void {
  const { adminDirectory, commit } = record;
  // Git's copy of the user's sparse patterns, which only a checkout that is used once can have.
  const isNeeded = (name: string): boolean => needed.has(name) || (name === "info" && !record.pooled);
  for (const name of readdirSync(adminDirectory))
    if (!isNeeded(name)) rmSync(join(adminDirectory, name), { recursive: true, force: true });
  const head = lstatSync(join(adminDirectory, "HEAD"), { throwIfNoEntry: false });
  if (head?.isDirectory() === true) rmSync(join(adminDirectory, "HEAD"), { recursive: true });
  writeAtomic(join(adminDirectory, "HEAD"), `${commit}\n`);
}

/** Locks that a killed worker's git left in its own worktree; the next attempt would stumble over them. */
export function removeWorkerLocks(record: SlotRecord): void {
  // A worker can put a folder there, too.
  for (const name of ["index.lock", "HEAD.lock"])
    rmSync(join(record.adminDirectory, name), { recursive: true, force: true });
}
