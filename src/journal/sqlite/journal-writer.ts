import { type JournalEvent, journalEventSchema, type NewEvent } from "../../contract/journal-event.ts";
import type { Clock } from "../../base/clock.ts";
import { chainHash } from "../model/hash-chain.ts";
import { redactEventData, redactWithinLimits } from "../model/redact-event.ts";
import { applyEvent } from "./apply-event.ts";
import type { Database } from "./database.ts";
import { readHead } from "./read-head.ts";

/** Both clocks may drift apart by this much without a deliberate change. */
const MAX_DRIFT_MS = 1000;

type Redact = (data: unknown) => unknown;

/** Appends events and applies them to the projections, inside the caller's transaction. */
export class JournalWriter {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #redact: Redact;
  readonly #durations: DurationMeter;
  #head: { seq: number; hash: string } | undefined;

  /** Credentials are removed by default; tests and the bench pass a `redact` that keeps them. */
  constructor(database: Database, clock: Clock, redact: Redact = redactEventData) {
    this.#database = database;
    this.#clock = clock;
    this.#redact = redact;
    this.#durations = new DurationMeter(clock);
  }

  /** Forgets the head, because another process or an undone job may have moved it. */
  restart(): void {
    this.#head = undefined;
  }

  append(event: NewEvent): JournalEvent {
    const head = (this.#head ??= readHead(this.#database));
    const { type, story, delegation, attempt, data } = this.#durations.complete(event);
    const at = new Date(this.#clock.wallMs()).toISOString();
    const seq = head.seq + 1;
    const stored = parseRedacted({ seq, at, type, story, delegation, attempt, data }, this.#redact);
    const body = JSON.stringify(stored);
    const hash = chainHash(head.hash, body);
    this.#database.run(
      "INSERT INTO events (seq, type, story, delegation, body, hash) VALUES (?, ?, ?, ?, ?, ?)",
      [seq, type, story, delegation, body, hash],
    );
    applyEvent(this.#database, stored);
    this.#head = { seq, hash };
    return stored;
  }
}

/** The stored text is what a replay reads: with the same defaults, in the same order, and without credentials. */
function parseRedacted(
  event: Omit<JournalEvent, "data"> & { readonly data: unknown },
  redact: Redact,
): JournalEvent {
  const stored = journalEventSchema.safeParse({ ...event, data: redact(event.data) });
  if (stored.success) return stored.data;
  return journalEventSchema.parse({ ...event, data: redactWithinLimits(event.data) });
}

interface Moment {
  readonly wallMs: number;
  readonly monotonicMs: number;
}

/**
 * The times of events are wall time, which may jump. For attempts that start and end in this process, a clock that does
 * not jump measures the duration; the end of a delegation states that duration if the wall clock says something else.
 */
class DurationMeter {
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
