import { journalEventSchema, type JournalEvent, type NewEvent } from "../../contract/journal-event.ts";
import type { Clock } from "../../base/clock.ts";
import { chainHash } from "../model/hash-chain.ts";
import { redactEventData, redactWithinLimits } from "../model/redact-event.ts";
import { applyEvent } from "./apply-event.ts";
import type { Database } from "./database.ts";
import { DurationMeter } from "./duration-meter.ts";
import { readHead } from "./read-head.ts";

type Redact = (data: unknown) => unknown;

/** Appends events and applies them to the projections, inside the caller's transaction. */
export class JournalWriter {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #redact: Redact;
  readonly #durations: DurationMeter;
  #head: { seq: number; hash: string } | undefined;

  /** Without `redact` credentials are removed; tests and the bench take that out. */
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
