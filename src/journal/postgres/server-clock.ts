import type { Clock } from "../../base/clock.ts";

/** The database's time, learned with every lock and counted on by this process in between. */
export class ServerClock implements Clock {
  #serverMs = Date.now();
  #learnedAt = performance.now();

  learn(serverMs: number): void {
    this.#serverMs = serverMs;
    this.#learnedAt = performance.now();
  }

  wallMs(): number {
    return this.#serverMs + this.monotonicMs() - this.#learnedAt;
  }

  monotonicMs(): number {
    return performance.now();
  }
}
