import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { readRegularText } from "../../base/files.ts";
import type { Repository } from "./repository.ts";

export interface LinkedWorktree {
  /** The name of git's metadata folder for the checkout. */
  readonly name: string;
  /** The checkout folder, or undefined if the metadata is incomplete. */
  readonly path: string | undefined;
  readonly head: string;
}

/** Finds the checkout in which a branch is checked out, or undefined. */
export function findCheckout(repository: Repository, ref: string): string | undefined {
  const { commonDirectory } = repository;
  const line = `ref: ${ref}`;
  if (readRegularText(join(commonDirectory, "HEAD"))?.trim() === line) return dirname(commonDirectory);
  return listLinkedWorktrees(repository).find(({ head }) => head === line)?.path;
}

/** Reads git's list of linked worktrees, the user's and ours, without starting git: one small file each. */
export function listLinkedWorktrees(repository: Repository): readonly LinkedWorktree[] {
  const folder = join(repository.commonDirectory, "worktrees");
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((name) => {
    const gitdir = readRegularText(join(folder, name, "gitdir"))?.trim();
    return {
      name,
      path: gitdir === undefined || gitdir === "" ? undefined : dirname(gitdir),
      head: readRegularText(join(folder, name, "HEAD"))?.trim() ?? "",
    };
  });
}
