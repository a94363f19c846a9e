import type { ProjectViews, StreamQuestion } from "../../app/project-views.ts";
import { sanitizeDocument } from "./sanitize-text.ts";

export interface EventQuestion extends StreamQuestion {
  /** Events after this number; only new ones where absent. */
  readonly after: number | undefined;
}

/** Events within this time are sent together; the page does not draw more often. */
const PACE_MS = 100;
const PING_MS = 15_000;
/** A supervisor that dies writes no event, so the stream looks for it. */
const LOOK_MS = 2000;
const OUTPUT_MS = 1000;
/** A batch of this size is followed by another one at once. */
const FULL_BATCH = 500;

/**
 * Server-sent events, produced one piece at a time and only after the reader has taken the last one. A slow reader costs
 * no memory and continues where it was. Every event is sent once, in order.
 */
export function eventStream(
  views: ProjectViews,
  question: EventQuestion,
  { signal, onEnd }: { readonly signal: AbortSignal; readonly onEnd: () => void },
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const end = new AbortController();
  const pieces = sendEvents(views, question, AbortSignal.any([signal, end.signal]));
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

async function* sendEvents(
  views: ProjectViews,
  question: EventQuestion,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  const leave = views.listen();
  try {
    yield* sendUntilGone(views, question, signal);
  } finally {
    leave();
  }
}

async function* sendUntilGone(
  views: ProjectViews,
  question: EventQuestion,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  const generation = views.generation();
  const headSeq = await views.readHead();
  let from = question.after ?? headSeq;
  // `retry` is how long the browser waits before it reconnects; `id` is where it continues, even if nothing happens.
  yield `retry: 1000\nid: ${from}\nevent: ping\ndata:\n\n`;
  let sentMs = views.nowMs();
  let wasSupervised: boolean | undefined;
  const outputs = new OutputWatch(views, question.nodes);
  while (!signal.aborted) {
    const isSupervised = views.isSupervised();
    if (isSupervised !== wasSupervised) yield `event: driver\ndata: ${JSON.stringify({ isSupervised })}\n\n`;
    wasSupervised = isSupervised;
    const output = await outputs.readChange();
    if (output !== undefined) yield `event: output\ndata: ${output}\n\n`;
    if (views.generation() !== generation || (question.after ?? 0) > headSeq) {
      yield "event: stale\ndata:\n\n";
      return;
    }
    const batch = await views.readBatch(from, question);
    if (batch !== undefined) {
      yield `id: ${batch.to}\nevent: batch\ndata: ${JSON.stringify(sanitizeDocument(batch))}\n\n`;
      sentMs = views.nowMs();
      from = batch.to;
      if (batch.events.length < FULL_BATCH) await pause(signal, PACE_MS);
      continue;
    }
    const leftMs = sentMs + PING_MS - views.nowMs();
    if (leftMs <= 0) {
      yield "event: ping\ndata:\n\n";
      sentMs = views.nowMs();
    } else await views.waitForChange(signal, Math.min(leftMs, LOOK_MS));
  }
}

/** Sends the newest output of the workers of the shown story each time it changes. */
class OutputWatch {
  readonly #views: ProjectViews;
  readonly #story: string | undefined;
  #told = "[]";
  #lookedMs = 0;

  constructor(views: ProjectViews, story: string | undefined) {
    this.#views = views;
    this.#story = story;
  }

  async readChange(): Promise<string | undefined> {
    if (this.#story === undefined || this.#views.nowMs() - this.#lookedMs < OUTPUT_MS) return undefined;
    this.#lookedMs = this.#views.nowMs();
    const outputs = JSON.stringify(sanitizeDocument(await this.#views.readOutputs(this.#story)));
    if (outputs === this.#told) return undefined;
    this.#told = outputs;
    return outputs;
  }
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
