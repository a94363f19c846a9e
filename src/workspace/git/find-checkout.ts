import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { readRegularText } from "../files/read-regular.ts";
import type { Repository } from "./repository.ts";

export interface LinkedWorktree {
  /** The name of git's notes about it. */
  readonly name: string;
  /** The checkout folder, or undefined where the notes are half made. */
  readonly path: string | undefined;
  readonly head: string;
}

/** The checkout that stands on a branch, or undefined. */
export function findCheckout(repository: Repository, ref: string): string | undefined {
  const { commonDirectory } = repository;
  const line = `ref: ${ref}`;
  if (readRegularText(join(commonDirectory, "HEAD"))?.trim() === line) return dirname(commonDirectory);
  return listLinkedWorktrees(repository).find(({ head }) => head === line)?.path;
}

/** Git's own list of linked worktrees, the user's and ours, read without git: one small file each. */
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
