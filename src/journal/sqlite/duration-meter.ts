import type { Clock } from "../../base/clock.ts";
import type { NewEvent } from "../../contract/journal-event.ts";

/** Both clocks may drift apart by this much without anybody having changed one. */
const MAX_DRIFT_MS = 1000;

interface Moment {
  readonly wallMs: number;
  readonly monotonicMs: number;
}

/**
 * The times of events are wall time, which may jump. For what starts and ends in this process a clock that does not jump
 * says how long it took; the end of a delegation states it where the wall clock says something else.
 */
export class DurationMeter {
  readonly #clock: Clock;
  /** The first start of each delegation that is open. */
  readonly #started = new Map<string, Moment>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The event as it is to be stored. */
  complete(event: NewEvent): NewEvent {
    const { delegation } = event;
    if (delegation === null) return event;
    if (event.type === "attempt-started" && !this.#started.has(delegation) && event.attempt <= 1)
      this.#started.set(delegation, this.#now());
    if (event.type !== "delegation-closed") return event;
    const started = this.#started.get(delegation);
    this.#started.delete(delegation);
    if (started === undefined) return event;
    const now = this.#now();
    const tookMs = now.monotonicMs - started.monotonicMs;
    if (Math.abs(now.wallMs - started.wallMs - tookMs) <= MAX_DRIFT_MS) return event;
    return { ...event, data: { ...event.data, durationMs: Math.max(0, Math.round(tookMs)) } };
  }

  #now(): Moment {
    return { wallMs: this.#clock.wallMs(), monotonicMs: this.#clock.monotonicMs() };
  }
}
