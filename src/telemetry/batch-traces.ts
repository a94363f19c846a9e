import { readTraces, type TraceQuestion, type TraceReader } from "./read-traces.ts";
import type { Span } from "./spans/span.ts";

const BATCH_SPANS = 200;

/** Spans of everything that has ended, some at a time; none of them is ever empty. */
export async function* batchTraces(
  reader: TraceReader,
  question: TraceQuestion,
): AsyncGenerator<readonly Span[]> {
  const batch: Span[] = [];
  for await (const { spans } of readTraces(reader, question)) {
    batch.push(...spans);
    if (batch.length >= BATCH_SPANS) yield batch.splice(0);
  }
  if (batch.length > 0) yield batch;
}
