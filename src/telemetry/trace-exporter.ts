import { readFileSync, rmSync } from "node:fs";
import * as z from "zod";
import { readErrorMessage } from "../base/delegation-error.ts";
import { writeFileAtomically } from "../base/files.ts";
import { tracesRequest } from "./otlp-json.ts";
import { readTraces, type TraceReader } from "./read-traces.ts";
import { sendOtlp, type SendResult } from "./send-otlp.ts";
import type { Span } from "./spans/span.ts";
import { readOtlpSettings, type OtlpSettings } from "./otlp-settings.ts";

export interface TraceExporterOptions {
  readonly reader: TraceReader & { head(): Promise<{ readonly seq: number }> };
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Stores the last event that was sent, so that the next process continues there. */
  readonly stateFile: string;
  readonly version: string;
  readonly log: (line: string) => void;
  /** Names of model providers by adapter, as the conventions list them. */
  readonly providers: ReadonlyMap<string, string>;
}

export interface TraceExporter {
  /** Accepts every event; returns at once. */
  see(event: { readonly type: string }): void;
  /** Sends the rest within the time given; the next process sends what is left. */
  close(withinMs?: number): Promise<void>;
}

const nothing: TraceExporter = { see: () => undefined, close: () => Promise.resolve() };

/**
 * Sends the spans of everything that ends while this process lives, and of what an earlier process could not send.
 * The journal is its queue: it holds one batch in memory and never delays the work.
 */
export async function startTraceExport(options: TraceExporterOptions): Promise<TraceExporter> {
  const wish = readOtlpSettings(options.environment, "traces");
  if (wish.kind === "unusable") options.log(`traces are not exported: ${wish.reason}`);
  const sent = wish.kind === "on" ? await whereToBegin(options) : forgetState(options);
  if (wish.kind !== "on" || sent === undefined) return nothing;
  const exporter = new JournalTraces(options, wish.settings, sent);
  // Sends what an earlier process left.
  exporter.wake();
  return exporter;
}

/** Written at once, so that the next process finds what ends before anything can be sent. */
async function whereToBegin({ reader, stateFile, log }: TraceExporterOptions): Promise<number> {
  const { seq } = await reader.head();
  const sent = Math.min(seq, readState(stateFile) ?? seq);
  try {
    writeState(stateFile, sent);
  } catch (error) {
    log(`${stateFile} could not be written: ${readErrorMessage(error)}`);
  }
  return sent;
}

/** Switched off: events from now on must not be sent later either. */
function forgetState({ stateFile, log }: TraceExporterOptions): undefined {
  try {
    rmSync(stateFile, { force: true });
  } catch (error) {
    log(`${stateFile} could not be removed: ${readErrorMessage(error)}`);
  }
}

const BATCH_SPANS = 200;
/** Spans that end together are sent together. */
const GATHER_MS = 500;
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 60_000;
const CLOSE_MS = 3000;

class JournalTraces implements TraceExporter {
  readonly #options: TraceExporterOptions;
  readonly #settings: OtlpSettings;
  readonly #stop = new AbortController();
  #sent: number;
  #pauseMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> | undefined;
  #isWanted = false;
  #isClosing = false;

  constructor(options: TraceExporterOptions, settings: OtlpSettings, sent: number) {
    this.#options = options;
    this.#settings = settings;
    this.#sent = sent;
  }

  see({ type }: { readonly type: string }): void {
    if (type === "delegation-closed" || type === "delegation-refused") this.wake();
  }

  wake(): void {
    this.#isWanted = true;
    if (this.#isClosing || this.#timer !== undefined || this.#working !== undefined) return;
    this.#timer = setTimeout(() => void this.#work(), Math.max(GATHER_MS, this.#pauseMs));
    this.#timer.unref();
  }

  async close(withinMs: number = CLOSE_MS): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const limit = setTimeout(() => this.#stop.abort(), withinMs);
    try {
      await this.#working;
      await this.#work();
    } finally {
      clearTimeout(limit);
    }
  }

  /** One round at a time; events that arrive meanwhile start another. */
  async #work(): Promise<void> {
    this.#timer = undefined;
    this.#isWanted = false;
    this.#working = this.#sendAll();
    await this.#working;
    this.#working = undefined;
    if (this.#isWanted || this.#pauseMs > 0) this.wake();
  }

  async #sendAll(): Promise<void> {
    const { reader, providers } = this.#options;
    try {
      const batch: Span[] = [];
      let seq = this.#sent;
      for await (const step of readTraces(reader, { ...this.#settings, providers, after: this.#sent })) {
        batch.push(...step.spans);
        seq = step.seq;
        if (batch.length < BATCH_SPANS) continue;
        if (!(await this.#sendBatch(batch.splice(0), seq))) return;
      }
      await this.#sendBatch(batch, seq);
    } catch (error) {
      // A problem with traces never stops the work they describe.
      this.#pause(readErrorMessage(error));
    }
  }

  /** Returns whether to continue with the next batch. */
  async #sendBatch(spans: readonly Span[], seq: number): Promise<boolean> {
    if (this.#stop.signal.aborted) return false;
    const result: SendResult =
      spans.length === 0
        ? { kind: "sent" }
        : await sendOtlp(tracesRequest(spans, { ...this.#settings, version: this.#options.version }), {
            settings: this.#settings,
            signal: this.#stop.signal,
          });
    if (result.kind === "later") {
      this.#pause(result.reason);
      return false;
    }
    if (result.kind === "refused")
      this.#options.log(`${spans.length} spans were not taken: ${result.reason}`);
    if (this.#pauseMs > 0 && spans.length > 0) this.#options.log("traces are exported again");
    if (spans.length > 0) this.#pauseMs = 0;
    this.#remember(seq);
    return true;
  }

  #pause(reason: string): void {
    if (this.#pauseMs === 0) this.#options.log(`traces wait in the journal: ${reason}`);
    this.#pauseMs = Math.min(MAX_PAUSE_MS, Math.max(FIRST_PAUSE_MS, this.#pauseMs * 2));
  }

  #remember(seq: number): void {
    if (seq === this.#sent) return;
    this.#sent = seq;
    writeState(this.#options.stateFile, seq);
  }
}

const stateSchema = z.object({ sent: z.int().min(0) });

function writeState(file: string, sent: number): void {
  writeFileAtomically(file, JSON.stringify({ sent }));
}

function readState(file: string): number | undefined {
  try {
    return stateSchema.parse(JSON.parse(readFileSync(file, "utf8"))).sent;
  } catch {
    // No state yet, or not ours: only future events are sent.
    return undefined;
  }
}
