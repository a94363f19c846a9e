import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "../../base/clock.ts";
import { tryExclusiveLock } from "../../base/exclusive-lock.ts";
import { taskErrors } from "../../errors/tasks.ts";

const MAX_WAIT_MS = 10_000;
const FIRST_PAUSE_MS = 5;
const MAX_PAUSE_MS = 50;

/** Runs `work` while no other process can change the tasks of this project. */
export async function holdTaskLock<Result>(
  file: string,
  clock: Clock,
  work: () => Promise<Result>,
): Promise<Result> {
  const deadline = clock.monotonicMs() + MAX_WAIT_MS;
  let pause = FIRST_PAUSE_MS;
  let lock = tryExclusiveLock(file);
  while (lock === undefined) {
    if (clock.monotonicMs() > deadline) throw taskErrors.storeLocked(file, MAX_WAIT_MS);
    await wait(pause);
    pause = Math.min(pause * 2, MAX_PAUSE_MS);
    lock = tryExclusiveLock(file);
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}
