import type { StoredEvent, StoreReader } from "../../journal/store.ts";
import { harmless } from "../server/harmless.ts";
import type { StreamBatch } from "../wire.ts";

export interface StreamQuestion {
  /** Events after this number; only new ones where absent. */
  readonly after: number | undefined;
  /** Only this run's; all of the project where absent. */
  readonly run: string | undefined;
  /** The run whose nodes are told as well. */
  readonly nodes: string | undefined;
}

export interface StreamSource {
  /** Undefined while nothing was ever stored. */
  reader(): StoreReader | undefined;
  /** Another one means that the numbers of events have begun anew. */
  generation(): number;
  /** Resolves when something may have changed, or after `mostMs`. */
  changed(signal: AbortSignal, mostMs: number): Promise<void>;
  /** What is told beside the events themselves, as it is now. */
  describe(
    reader: StoreReader,
    events: readonly StoredEvent[],
    question: StreamQuestion,
  ): Promise<Pick<StreamBatch, "events" | "runs" | "nodes">>;
  /** Somebody listens until the answer is called. */
  listen(): () => void;
  nowMs(): number;
}

/** Events that come within this time go out together: a screen is not drawn more often than that anyway. */
const PACE_MS = 100;
const PING_MS = 15_000;
const PAGE = 500;

/**
 * Server-sent events, made one piece at a time and only when the reader has taken the last one: a slow reader costs no
 * memory, and goes on later exactly where it was. Every event is told once, in order.
 */
export function eventStream(
  source: StreamSource,
  question: StreamQuestion,
  { signal, onEnd }: { readonly signal: AbortSignal; readonly onEnd: () => void },
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const end = new AbortController();
  const pieces = tellEvents(source, question, AbortSignal.any([signal, end.signal]));
  const finish = (controller: ReadableStreamDefaultController): void => {
    controller.close();
    onEnd();
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done === true) finish(controller);
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        end.abort();
        await pieces.return(undefined);
        onEnd();
      },
    },
    { highWaterMark: 0 },
  );
}

async function* tellEvents(
  source: StreamSource,
  question: StreamQuestion,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  const leave = source.listen();
  try {
    yield* tellUntilGone(source, question, signal);
  } finally {
    leave();
  }
}

async function* tellUntilGone(
  source: StreamSource,
  question: StreamQuestion,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  const generation = source.generation();
  const headSeq = (await source.reader()?.head())?.seq ?? 0;
  let from = question.after ?? headSeq;
  // The browser waits this long before it comes back; an id tells it where, even when nothing happens.
  yield `retry: 1000\nid: ${from}\nevent: ping\ndata:\n\n`;
  let toldMs = source.nowMs();
  while (!signal.aborted) {
    if (source.generation() !== generation || (question.after ?? 0) > headSeq) {
      yield "event: stale\ndata:\n\n";
      return;
    }
    const batch = await nextBatch(source, question, from);
    if (batch !== undefined) {
      yield `id: ${batch.to}\nevent: batch\ndata: ${JSON.stringify(harmless(batch))}\n\n`;
      toldMs = source.nowMs();
      from = batch.to;
      if (batch.events.length < PAGE) await pause(signal, PACE_MS);
      continue;
    }
    const leftMs = toldMs + PING_MS - source.nowMs();
    if (leftMs <= 0) {
      yield "event: ping\ndata:\n\n";
      toldMs = source.nowMs();
    } else await source.changed(signal, leftMs);
  }
}

async function nextBatch(
  source: StreamSource,
  question: StreamQuestion,
  from: number,
): Promise<StreamBatch | undefined> {
  const reader = source.reader();
  if (reader === undefined) return undefined;
  const filter = question.run === undefined ? {} : { story: question.run };
  const page = await reader.eventsAfter(from, PAGE, filter);
  if (page.events.length === 0) return undefined;
  const told = await source.describe(reader, page.events, question);
  return { from, to: page.cursor, nowMs: source.nowMs(), ...told };
}

function pause(signal: AbortSignal, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
}
