import { existsSync, lstatSync, mkdirSync, renameSync, rmdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DelegationError } from "../../base/delegation-error.ts";
import { randomBase36 } from "../../base/ids.ts";
import { readRegularText } from "../files/read-regular.ts";
import { foldersOf } from "../files/state-folders.ts";
import { withLock } from "../files/with-lock.ts";
import { scratchDirectory } from "../git/private-directory.ts";
import { refPlace, type Repository } from "../git/repository.ts";
import { runGit } from "../git/run-git.ts";
import { readSettings } from "../git/settings.ts";
import { cleanAdmin } from "./clean-admin.ts";
import { type Pointers, readPointers } from "./pointers.ts";

const MOST_ATTEMPTS = 10;

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
 * Makes an empty linked worktree on no branch. The notes are written as git documents them, beside their place, and
 * moved there at once: with `git worktree add` other git processes see them half written, and fail.
 */
export async function registerWorktree(request: RegisterRequest): Promise<Pointers> {
  const settings = await readSettings(request.repository);
  // Git copies settings of its own to such worktrees.
  const needsGit = settings.isSparse || settings.hasWorktreeConfig;
  return needsGit ? registerByGit(request) : registerByHand(request);
}

function registerByHand({ repository, stateDirectory, path, commit }: RegisterRequest): Pointers {
  const name = basename(path);
  const adminDirectory = adminDirectoryOf(repository, name);
  if (existsSync(adminDirectory)) throw notMade(path);
  const gitFile = `gitdir: ${adminDirectory}\n`;
  const gitdir = `${join(path, ".git")}\n`;
  const commondir = "../..\n";
  const beside = join(scratchDirectory(stateDirectory), `${String(process.pid)}-${randomBase36(10)}`);
  mkdirSync(beside, { recursive: true });
  writeFileSync(join(beside, "gitdir"), gitdir);
  writeFileSync(join(beside, "commondir"), commondir);
  writeFileSync(join(beside, "HEAD"), `${commit}\n`);
  mkdirSync(path);
  writeFileSync(join(path, ".git"), gitFile);
  moveNotes(beside, adminDirectory);
  return { gitFile, gitdir, commondir, worktreeConfig: null };
}

/** Git removes the folder around the notes with the last of them, so it may go between making and using it. */
function moveNotes(from: string, to: string): void {
  for (let attempt = 1; ; attempt += 1) {
    mkdirSync(dirname(to), { recursive: true });
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      if (attempt === MOST_ATTEMPTS) throw error;
    }
  }
}

/** One at a time: two of them at once trip over each other's half-written notes. */
function registerByGit(request: RegisterRequest): Promise<Pointers> {
  const { repository, path, commit } = request;
  return withLock(foldersOf(request.stateDirectory).lock, async () => {
    await runGit({
      place: refPlace(repository),
      arguments: ["worktree", "add", "--no-checkout", "--detach", "--", path, commit],
    });
    const adminDirectory = adminDirectoryOf(repository, basename(path));
    const pointers = readPointers(path, adminDirectory);
    if (pointers === undefined) throw notMade(path);
    // Git starts a log and leaves a note of what it did.
    cleanAdmin({ adminDirectory, commit, pooled: false });
    return pointers;
  });
}

function notMade(path: string): DelegationError {
  return new DelegationError({
    code: "WORKSPACE_NOT_MADE",
    message: `Git has, or has got, another worktree of the name of ${path}`,
    recommendation: "`git worktree list` shows what is there; `ambit doctor` names leftovers.",
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
