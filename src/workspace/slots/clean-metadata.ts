import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomically } from "../../base/files.ts";
import type { SlotRecord } from "../records/record.ts";
import { isShownPointer } from "./shown-pointer.ts";

/** Git needs these files to recognise the worktree. A worker's commands left all other files. */
const needed = new Set(["HEAD", "commondir", "gitdir", "index", "config.worktree"]);

/**
 * Removes everything that a worker's commands left in git's metadata of a worktree: its log of commits, half-done
 * merges, locks. The next worker would otherwise read them.
 */
export function cleanMetadata(record: Pick<SlotRecord, "adminDirectory" | "commit" | "pooled">): void {
  const { adminDirectory, commit } = record;
  // These are git's copy of the user's sparse patterns, which only a checkout for single use can have.
  const isNeeded = (name: string): boolean =>
    needed.has(name) || (name === "info" && !record.pooled) || isShownPointer(adminDirectory, name);
  for (const name of readdirSync(adminDirectory))
    if (!isNeeded(name)) rmSync(join(adminDirectory, name), { recursive: true, force: true });
  const head = lstatSync(join(adminDirectory, "HEAD"), { throwIfNoEntry: false });
  if (head?.isDirectory() === true) rmSync(join(adminDirectory, "HEAD"), { recursive: true });
  writeFileAtomically(join(adminDirectory, "HEAD"), `${commit}\n`);
}

/** Removes locks that a killed worker's git left in its own worktree; they would block the next attempt. */
export function removeWorkerLocks(record: SlotRecord): void {
  // A worker can create a folder there, too.
  for (const name of ["index.lock", "HEAD.lock"])
    rmSync(join(record.adminDirectory, name), { recursive: true, force: true });
}
