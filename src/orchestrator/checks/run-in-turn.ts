import { join } from "node:path";
import { waitForExclusiveLock } from "../../base/exclusive-lock.ts";
import { KeyedLock } from "../live/keyed-lock.ts";

/** Waiters of this process queue here, so that only one of them competes with other processes. */
const turns = new KeyedLock();
/** The longest wait for a check of another command. */
const MAX_WAIT_MS = 4 * 60 * 60 * 1000;

export interface Turn<Result> {
  readonly stateDirectory: string;
  /** The answer if the signal comes before the turn does. */
  readonly ifStopped: Result;
  readonly signal?: AbortSignal | undefined;
}

/** Runs checks of one project one at a time, including those of other commands on this machine. */
export function runInTurn<Result>(
  { stateDirectory, ifStopped, signal }: Turn<Result>,
  work: () => Promise<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => resolve(ifStopped);
    signal?.addEventListener("abort", giveUp, { once: true });
    const turn = turns.runInOrder(stateDirectory, async () => {
      signal?.removeEventListener("abort", giveUp);
      if (signal?.aborted === true) return ifStopped;
      const lock = await waitForExclusiveLock(join(stateDirectory, "checks.lock"), {
        maxWaitMs: MAX_WAIT_MS,
      });
      try {
        return await work();
      } finally {
        lock?.release();
      }
    });
    turn.then(resolve, reject);
  });
}
