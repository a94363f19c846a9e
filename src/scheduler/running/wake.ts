import type { Clock } from "../../base/clock.ts";

/** Calls the action after a delay; the answer takes that back. */
export type SetTimer = (delayMs: number, action: () => void) => () => void;

export const systemTimer: SetTimer = (delayMs, action) => {
  const timer = setTimeout(action, delayMs);
  return () => clearTimeout(timer);
};

/** The most a Node timer can wait; above it, it would fire at once. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

interface WakeOptions {
  readonly clock: Clock;
  readonly setTimer: SetTimer;
  readonly action: () => void;
}

/** One timer that is set anew each time; fired early or cut short, whoever is woken simply sets it again. */
export class Wake {
  readonly #options: WakeOptions;
  #clearTimer: () => void = () => undefined;

  constructor(options: WakeOptions) {
    this.#options = options;
  }

  /** Replaces any earlier wish. */
  at(timeMs: number | undefined): void {
    this.clear();
    if (timeMs === undefined) return;
    const { clock, setTimer, action } = this.#options;
    const delayMs = Math.min(LONGEST_DELAY_MS, Math.max(0, Math.ceil(timeMs - clock.monotonicMs())));
    this.#clearTimer = setTimer(delayMs, action);
  }

  clear(): void {
    this.#clearTimer();
    this.#clearTimer = () => undefined;
  }
}
