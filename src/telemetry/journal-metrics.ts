import { setImmediate } from "node:timers/promises";
import { counted, gauges } from "./metrics/definitions.ts";
import { foldEvent, type MetricFold } from "./metrics/fold-event.ts";
import { MetricBook } from "./metrics/metric-book.ts";
import type { Metric, MetricDefinition, MetricReading } from "./metrics/metric.ts";
import { parseEvent } from "./parse-event.ts";

/** The part of the store that figures are made from. */
export interface MetricReader {
  eventsAfter(
    cursor: number,
    limit: number,
  ): Promise<{ readonly events: readonly { readonly body: string }[]; readonly cursor: number }>;
  totals(): Promise<{ readonly active: number; readonly running: number }>;
  openStories(limit: number): Promise<readonly unknown[]>;
  openApprovals(limit: number): Promise<readonly unknown[]>;
}

/** Facts that are not in the journal. */
export interface MetricFacts {
  readonly nowMs: number;
  /** Whether a process works on the stories. */
  readonly isDriven: boolean;
}

const PAGE = 500;
const MAX_COUNTED = 10_000;

/**
 * Figures counted from the journal, from its first event on: whichever process counts, and however often it starts, the
 * counters go on. It remembers sums and where it stopped reading, and reads every event once.
 */
export class JournalMetrics {
  readonly #fold: MetricFold;
  #cursor = 0;
  #beganMs: number | undefined;
  #reading: Promise<unknown> = Promise.resolve();

  /** `providers` names model providers by adapter, as the conventions list them. */
  constructor(providers: ReadonlyMap<string, string>) {
    this.#fold = { book: new MetricBook(Object.values(counted)), open: new Map(), providers };
  }

  /** One reading at a time: two at once would count the same events twice. Without a reader nothing is counted. */
  read(reader: MetricReader | undefined, facts: MetricFacts): Promise<MetricReading> {
    const reading = this.#reading.then(() => this.#read(reader, facts));
    this.#reading = reading.catch(() => undefined);
    return reading;
  }

  async #read(reader: MetricReader | undefined, { nowMs, isDriven }: MetricFacts): Promise<MetricReading> {
    if (reader !== undefined) await this.#catchUp(reader);
    const totals = await reader?.totals();
    const metrics = [
      toGauge(gauges.supervisorUp, isDriven ? 1 : 0),
      toGauge(gauges.storiesOpen, (await reader?.openStories(MAX_COUNTED))?.length ?? 0),
      toGauge(gauges.delegationsOpen, totals?.active ?? 0),
      toGauge(gauges.delegationsRunning, totals?.running ?? 0),
      toGauge(gauges.questionsOpen, (await reader?.openApprovals(MAX_COUNTED))?.length ?? 0),
      ...this.#fold.book.list(),
    ];
    return { beganMs: this.#beganMs ?? nowMs, atMs: nowMs, metrics };
  }

  async #catchUp(reader: MetricReader): Promise<void> {
    for (;;) {
      const page = await reader.eventsAfter(this.#cursor, PAGE);
      for (const { body } of page.events) {
        const event = parseEvent(body);
        if (event === undefined) continue;
        this.#beganMs ??= Date.parse(event.at);
        foldEvent(this.#fold, event);
      }
      this.#cursor = page.cursor;
      if (page.events.length < PAGE) return;
      // A long journal must not keep everybody else waiting.
      await setImmediate();
    }
  }
}

function toGauge(definition: MetricDefinition, value: number): Metric {
  return { definition, points: [{ labels: {}, value, counts: [] }] };
}
