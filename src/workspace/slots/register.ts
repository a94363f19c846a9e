import { existsSync, lstatSync, mkdirSync, renameSync, rmdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DelegationError } from "../../base/delegation-error.ts";
import { randomBase36 } from "../../base/ids.ts";
import { withLock } from "../files/with-lock.ts";
import { readRegularText } from "../files/read-regular.ts";
import { runGit } from "../git.ts";
import { foldersOf } from "../names.ts";
import { refPlace, type Repository } from "../repository.ts";
import { type Pointers, readPointers } from "./pointers.ts";

export interface RegisterRequest {
  readonly repository: Repository;
  readonly stateDirectory: string;
  readonly path: string;
  readonly commit: string;
}

/** Where git keeps its notes about the worktree of that folder name. */
export function adminDirectoryOf(repository: Repository, name: string): string {
  return join(repository.commonDirectory, "worktrees", name);
}

/**
 * Makes an empty linked worktree. Only this part is done one at a time: two at once trip over each other's half-written
 * notes, and filling the folder, which takes long, needs none of them.
 */
export function registerWorktree(request: RegisterRequest): Promise<Pointers> {
  const { repository, path, commit } = request;
  return withLock(foldersOf(request.stateDirectory).lock, async () => {
    await runGit({
      place: refPlace(repository),
      arguments: ["worktree", "add", "--no-checkout", "--detach", "--", path, commit],
    });
    const pointers = readPointers(path, adminDirectoryOf(repository, basename(path)));
    if (pointers !== undefined) return pointers;
    throw new DelegationError({
      code: "WORKSPACE_NOT_MADE",
      message: `Git made no worktree of the expected name for ${path}`,
      recommendation: "`git worktree list` shows what is there; `ambit doctor` names leftovers.",
    });
  });
}

export interface UnregisterRequest {
  readonly repository: Repository;
  readonly stateDirectory: string;
  readonly path: string;
}

/**
 * Forgets our own worktree and no other: `git worktree prune` would also forget those of the user whose folder happens
 * to be away. Returns where the folder and git's notes about it now lie, to be deleted later.
 */
export function unregisterWorktree(request: UnregisterRequest): Promise<readonly string[]> {
  const { repository, path } = request;
  const { lock, trash } = foldersOf(request.stateDirectory);
  const adminDirectory = adminDirectoryOf(repository, basename(path));
  return withLock(lock, () => {
    const moved: string[] = [];
    mkdirSync(trash, { recursive: true, mode: 0o700 });
    for (const folder of [path, ...(isAbout(adminDirectory, path) ? [adminDirectory] : [])]) {
      if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined) {
        const target = join(trash, `${basename(path)}-${randomBase36(8)}`);
        renameSync(folder, target);
        moved.push(target);
      }
    }
    removeIfEmpty(dirname(adminDirectory));
    return Promise.resolve(moved);
  });
}

/** A half-made entry has no `gitdir` yet; its name is ours all the same, as only we use such names. */
function isAbout(adminDirectory: string, path: string): boolean {
  if (!existsSync(adminDirectory)) return false;
  const gitdir = readRegularText(join(adminDirectory, "gitdir"))?.trim();
  return gitdir === undefined || gitdir === "" || gitdir === join(path, ".git");
}

/** Git itself removes the folder with the last entry. */
function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Others still have their worktrees there, or nobody ever had one.
  }
}
