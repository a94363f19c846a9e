import type { Clock } from "../../src/base/clock.ts";

export interface MovableClock extends Clock {
  readonly moveOn: (ms: number) => void;
}

/** A running clock that a test can move on. A step of 30 s or more looks like sleep. */
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
