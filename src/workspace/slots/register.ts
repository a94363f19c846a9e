import { existsSync, lstatSync, mkdirSync, renameSync, rmdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readRegularText } from "../../base/files.ts";
import { randomBase36 } from "../../base/ids.ts";
import { workspaceErrors } from "../../errors/workspace.ts";
import { getStateFolders } from "../files/state-folders.ts";
import { withFileLock } from "../files/with-lock.ts";
import { withScratchFolder } from "../files/scratch-folder.ts";
import { getRefPlace, type Repository } from "../git/repository.ts";
import { runGit } from "../git/run-git.ts";
import { readSettings } from "../git/settings.ts";
import { cleanMetadata } from "./clean-metadata.ts";
import { type Pointers, readPointers } from "./pointers.ts";

const MAX_ATTEMPTS = 10;

export interface RegisterRequest {
  readonly repository: Repository;
  readonly stateDirectory: string;
  readonly path: string;
  readonly commit: string;
}

/** Git's metadata folder for the worktree with that folder name. */
export function getAdminDirectory(repository: Repository, name: string): string {
  return join(repository.commonDirectory, "worktrees", name);
}

/**
 * Creates an empty linked worktree on no branch. The metadata is written in git's documented format in a temporary
 * folder and then moved: with `git worktree add`, other git processes see it half written and fail.
 */
export async function registerWorktree(request: RegisterRequest): Promise<Pointers> {
  const settings = await readSettings(request.repository);
  // Git copies its own settings to such worktrees.
  const needsGit = settings.isSparse || settings.hasWorktreeConfig;
  return needsGit ? registerByGit(request) : registerByHand(request);
}

async function registerByHand({
  repository,
  stateDirectory,
  path,
  commit,
}: RegisterRequest): Promise<Pointers> {
  const name = basename(path);
  const adminDirectory = getAdminDirectory(repository, name);
  if (existsSync(adminDirectory)) throw workspaceErrors.worktreeNameTaken(path);
  const gitFile = `gitdir: ${adminDirectory}\n`;
  const gitdir = `${join(path, ".git")}\n`;
  const commondir = "../..\n";
  await withScratchFolder(stateDirectory, (beside) => {
    writeFileSync(join(beside, "gitdir"), gitdir);
    writeFileSync(join(beside, "commondir"), commondir);
    writeFileSync(join(beside, "HEAD"), `${commit}\n`);
    mkdirSync(path);
    writeFileSync(join(path, ".git"), gitFile);
    moveMetadata(beside, adminDirectory);
  });
  return { gitFile, gitdir, commondir, worktreeConfig: null };
}

/** Git removes the parent folder with its last entry, so it may disappear between creation and use. */
function moveMetadata(from: string, to: string): void {
  for (let attempt = 1; ; attempt += 1) {
    mkdirSync(dirname(to), { recursive: true });
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      if (attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/** Registers one worktree at a time, because two concurrent calls fail on each other's half-written metadata. */
function registerByGit(request: RegisterRequest): Promise<Pointers> {
  const { repository, path, commit } = request;
  return withFileLock(getStateFolders(request.stateDirectory).lock, async () => {
    await runGit({
      place: getRefPlace(repository),
      arguments: ["worktree", "add", "--no-checkout", "--detach", "--", path, commit],
    });
    const adminDirectory = getAdminDirectory(repository, basename(path));
    const pointers = readPointers(path, adminDirectory);
    if (pointers === undefined) throw workspaceErrors.worktreeNameTaken(path);
    // Git starts a log and leaves a note.
    cleanMetadata({ adminDirectory, commit, pooled: false });
    return pointers;
  });
}

export interface UnregisterRequest {
  readonly repository: Repository;
  readonly stateDirectory: string;
  readonly path: string;
}

/**
 * Unregisters our own worktree and no other: `git worktree prune` would also forget worktrees of the user whose
 * folder is temporarily missing. Returns where the folder and git's metadata are now, to be deleted later.
 */
export function unregisterWorktree(request: UnregisterRequest): Promise<readonly string[]> {
  const { repository, path } = request;
  const { lock, trash } = getStateFolders(request.stateDirectory);
  const adminDirectory = getAdminDirectory(repository, basename(path));
  return withFileLock(lock, () => {
    const moved: string[] = [];
    mkdirSync(trash, { recursive: true, mode: 0o700 });
    for (const folder of [path, ...(describesWorktree(adminDirectory, path) ? [adminDirectory] : [])]) {
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

/** A half-made entry has no `gitdir` yet, but its name is ours, because only we use such names. */
function describesWorktree(adminDirectory: string, path: string): boolean {
  if (!existsSync(adminDirectory)) return false;
  const gitdir = readRegularText(join(adminDirectory, "gitdir"))?.trim();
  return gitdir === undefined || gitdir === "" || gitdir === join(path, ".git");
}

/** Git itself removes the folder with the last entry. */
function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Other worktrees are still there, or the folder never existed.
  }
}
