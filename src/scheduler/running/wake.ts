import type { Clock } from "../../base/clock.ts";

/** Calls the action after a delay; the returned function cancels it. */
export type SetTimer = (delayMs: number, action: () => void) => () => void;

export const systemTimer: SetTimer = (delayMs, action) => {
  const timer = setTimeout(action, delayMs);
  return () => clearTimeout(timer);
};

/** A Node timer with a longer delay would fire at once. */
const MAX_DELAY_MS = 2 ** 31 - 1;

interface WakeOptions {
  readonly clock: Clock;
  readonly setTimer: SetTimer;
  readonly action: () => void;
}

/** One timer that each call replaces; if it fires early, the next choice sets it again. */
export class Wake {
  readonly #options: WakeOptions;
  #clearTimer: () => void = () => undefined;

  constructor(options: WakeOptions) {
    this.#options = options;
  }

  /** Replaces any earlier time. */
  wakeAt(timeMs: number | undefined): void {
    this.clearTimer();
    if (timeMs === undefined) return;
    const { clock, setTimer, action } = this.#options;
    const delayMs = Math.min(MAX_DELAY_MS, Math.max(0, Math.ceil(timeMs - clock.monotonicMs())));
    this.#clearTimer = setTimer(delayMs, action);
  }

  clearTimer(): void {
    this.#clearTimer();
    this.#clearTimer = () => undefined;
  }
}
