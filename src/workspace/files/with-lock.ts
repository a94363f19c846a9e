import { setTimeout as wait } from "node:timers/promises";
import { DelegationError } from "../../base/delegation-error.ts";
import { type ExclusiveLock, tryExclusiveLock } from "../../base/exclusive-lock.ts";

const LONGEST_WAIT_MS = 120_000;
const FIRST_STEP_MS = 2;
const LONGEST_STEP_MS = 25;

/** Who waits in this process, per lock file: they take turns here and meet other processes one at a time. */
const queues = new Map<string, Promise<unknown>>();

/** Runs one piece of work at a time, across all processes on this machine. The lock dies with its holder. */
export async function withLock<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  const before = queues.get(file) ?? Promise.resolve();
  const turn = before.then(() => runLocked(file, work));
  const settled = turn.catch(() => undefined);
  queues.set(file, settled);
  try {
    return await turn;
  } finally {
    if (queues.get(file) === settled) queues.delete(file);
  }
}

async function runLocked<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  const lock = await takeLock(file);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

async function takeLock(file: string): Promise<ExclusiveLock> {
  let step = FIRST_STEP_MS;
  for (let waited = 0; waited < LONGEST_WAIT_MS; waited += step) {
    const lock = tryExclusiveLock(file);
    if (lock !== undefined) return lock;
    step = Math.min(step * 1.5, LONGEST_STEP_MS);
    // Uneven steps, so that many waiting processes do not knock at the same moment.
    await wait(step * (0.5 + Math.random()));
  }
  throw new DelegationError({
    code: "WORKSPACE_LOCK_BUSY",
    message: `Another process has held ${file} for more than ${String(LONGEST_WAIT_MS / 1000)} s`,
    recommendation: "Find it with `ambit doctor`, end it, and try again.",
    recoverable: true,
  });
}
