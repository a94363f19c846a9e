import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type ExclusiveLock, tryExclusiveLock } from "../../base/exclusive-lock.ts";
import { pathExists } from "../../base/files.ts";
import { workspaceErrors } from "../../errors/workspace.ts";

const MAX_WAIT_MS = 120_000;
const FIRST_STEP_MS = 2;
const MAX_STEP_MS = 25;

/**
 * Waiters of this process, per lock file: they take turns here, so only one at a time competes with other processes.
 */
const queues = new Map<string, Promise<unknown>>();

/** Runs one piece of work at a time across all processes on this machine. The lock is released when its holder dies. */
export async function withFileLock<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  const before = queues.get(file) ?? Promise.resolve();
  const turn = before.then(() => runWithLock(file, work));
  const settled = turn.catch(() => undefined);
  queues.set(file, settled);
  try {
    return await turn;
  } finally {
    if (queues.get(file) === settled) queues.delete(file);
  }
}

async function runWithLock<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  const lock = await waitForLock(file);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

async function waitForLock(file: string): Promise<ExclusiveLock> {
  // A lock creates its folder, and so would bring back a part of a repository that was moved or deleted.
  const gitDirectory = dirname(dirname(file));
  if (!pathExists(gitDirectory)) throw workspaceErrors.repositoryGone(gitDirectory);
  let step = FIRST_STEP_MS;
  for (let waited = 0; waited < MAX_WAIT_MS; waited += step) {
    const lock = tryExclusiveLock(file);
    if (lock !== undefined) return lock;
    step = Math.min(step * 1.5, MAX_STEP_MS);
    // Uneven steps, so that many waiting processes do not retry at the same moment.
    await wait(step * (0.5 + Math.random()));
  }
  throw workspaceErrors.lockBusy(file, MAX_WAIT_MS);
}
