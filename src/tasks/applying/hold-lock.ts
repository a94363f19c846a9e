import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "../../base/clock.ts";
import { DelegationError } from "../../base/delegation-error.ts";
import { tryExclusiveLock } from "../../base/exclusive-lock.ts";

const PATIENCE_MS = 10_000;
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 50;

/** Runs `work` while no other process changes the tasks of this project. */
export async function holdLock<Result>(
  file: string,
  clock: Clock,
  work: () => Promise<Result>,
): Promise<Result> {
  const deadline = clock.monotonicMs() + PATIENCE_MS;
  let pause = FIRST_PAUSE_MS;
  let lock = tryExclusiveLock(file);
  while (lock === undefined) {
    if (clock.monotonicMs() > deadline) throw busy(file);
    await wait(pause);
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    lock = tryExclusiveLock(file);
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}

function busy(file: string): DelegationError {
  return new DelegationError({
    code: "STORE_BUSY",
    message: `Another process has been changing the tasks for ${PATIENCE_MS / 1000} s (lock ${file})`,
    recommendation: "Wait for it, or end it, then run the command again; nothing was changed.",
    recoverable: true,
  });
}
