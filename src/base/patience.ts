import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as wait } from "node:timers/promises";

/** With more to do than this share of the time, a process is busy. */
const MAX_CALM_SHARE = 0.25;
const STEP_MS = 5;
/** A process that is always busy must get on nevertheless. */
const MAX_WAIT_MS = 60;

const patient = new AsyncLocalStorage<boolean>();

/** Answers each time whether this process has had little to do since the last time. */
export function watchCalm(): () => boolean {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization <= MAX_CALM_SHARE;
  };
}

/**
 * Runs work that nobody waits for. Starting a program holds up the whole process for some milliseconds, so such work
 * starts one only while there is little else to do.
 */
export function runPatiently<Result>(work: () => Promise<Result>): Promise<Result> {
  return patient.run(true, work);
}

/** Whether this is part of such work. */
export function isPatient(): boolean {
  return patient.getStore() === true;
}

/** Resolves when this process has little to do, or after a while. */
export async function awaitTurn(): Promise<void> {
  const isCalm = watchCalm();
  const deadline = performance.now() + MAX_WAIT_MS;
  do await wait(STEP_MS);
  while (!isCalm() && performance.now() < deadline);
}
