import type { Clock } from "../../src/base/clock.ts";

export interface MovableClock extends Clock {
  readonly moveOn: (ms: number) => void;
}

/** A clock that runs, and can be moved on by hand; by less than 30 s at a time, or it looks like sleep. */
export function movableClock(): MovableClock {
  let aheadMs = 0;
  return {
    wallMs: () => Date.now(),
    monotonicMs: () => performance.now() + aheadMs,
    moveOn: (ms) => {
      aheadMs += ms;
    },
  };
}
