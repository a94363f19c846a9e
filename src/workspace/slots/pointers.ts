import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readRegularText, pathExists } from "../../base/files.ts";
import type { SlotRecord } from "../records/record.ts";

export type Pointers = NonNullable<SlotRecord["pointers"]>;

export type Tampering = "folder-gone" | "folder-replaced" | "git-file-changed" | "admin-folder-changed";

/** Reads the pointer files that git wrote for a new worktree; undefined if one is missing. */
export function readPointers(path: string, adminDirectory: string): Pointers | undefined {
  const gitFile = readRegularText(join(path, ".git"));
  const gitdir = readRegularText(join(adminDirectory, "gitdir"));
  const commondir = readRegularText(join(adminDirectory, "commondir"));
  if (gitFile === undefined || gitdir === undefined || commondir === undefined) return undefined;
  const worktreeConfig = readRegularText(join(adminDirectory, "config.worktree")) ?? null;
  return { gitFile, gitdir, commondir, worktreeConfig };
}

/**
 * Whether a checkout still points where it did when it was created. Otherwise a worker that replaces `.git` with a folder
 * or a link, or changes git's metadata of the worktree, would choose the configuration that the next reader uses.
 */
export function findTampering(record: SlotRecord): Tampering | undefined {
  const folder = lstatSync(record.path, { throwIfNoEntry: false });
  if (folder === undefined) return "folder-gone";
  if (!folder.isDirectory()) return "folder-replaced";
  if (wasEmptied(record)) return "folder-gone";
  const then = record.pointers;
  if (then === null || readRegularText(join(record.path, ".git")) !== then.gitFile) return "git-file-changed";
  const now = readPointers(record.path, record.adminDirectory);
  const isAdminFolder = lstatSync(record.adminDirectory, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const isSame =
    now?.gitdir === then.gitdir &&
    now.commondir === then.commondir &&
    now.worktreeConfig === then.worktreeConfig;
  return isAdminFolder && isSame ? undefined : "admin-folder-changed";
}

/**
 * A mount cannot be removed, only emptied, and a process inside can still write there. A checkout without `.git` and
 * without any of its original files counts as emptied.
 */
function wasEmptied({ path, layers }: SlotRecord): boolean {
  if (pathExists(join(path, ".git"))) return false;
  const names = new Set(readdirSync(path));
  const shared = layers[0]?.lower[0];
  const there = shared === undefined || !pathExists(shared) ? [] : readdirSync(shared);
  return names.size === 0 || (there.length > 0 && !there.some((name) => names.has(name)));
}
