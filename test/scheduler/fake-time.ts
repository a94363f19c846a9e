import type { Clock } from "../../src/base/clock.ts";
import type { SetTimer } from "../../src/scheduler/run-queue.ts";

interface Timer {
  readonly atMs: number;
  readonly action: () => void;
}

/** Stands still until it is moved; timers fire in order on the way. */
export class FakeTime implements Clock {
  readonly #timers = new Set<Timer>();
  #nowMs = 1000;

  wallMs(): number {
    return this.#nowMs;
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  readonly setTimer: SetTimer = (delayMs, action) => {
    const timer = { atMs: this.#nowMs + delayMs, action };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  };

  timers(): number {
    return this.#timers.size;
  }

  advance(durationMs: number): void {
    const endMs = this.#nowMs + durationMs;
    for (let next = this.#first(); next !== undefined && next.atMs <= endMs; next = this.#first()) {
      this.#timers.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.action();
    }
    this.#nowMs = endMs;
  }

  /** As a real timer may do by a fraction of a millisecond. */
  fireEarly(): void {
    const next = this.#first();
    if (next === undefined) return;
    this.#timers.delete(next);
    next.action();
  }

  #first(): Timer | undefined {
    return [...this.#timers].sort((one, other) => one.atMs - other.atMs)[0];
  }
}

/** Lets everything happen that happens without time passing. */
export async function settleAll(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}
