import type { JournalEvent } from "../contract/journal-event.ts";
import { parseEvent } from "./parse-event.ts";
import { buildSpans, refusalSpan, type SpanWishes } from "./spans/build-spans.ts";
import type { Span } from "./spans/span.ts";
import type { TracedStory } from "./spans/trace-ids.ts";

/** The part of the store that traces are made from. */
export interface TraceReader {
  eventsAfter(
    cursor: number,
    limit: number,
    filter?: { readonly story?: string; readonly delegation?: string },
  ): Promise<{
    readonly events: readonly { readonly seq: number; readonly body: string }[];
    readonly cursor: number;
  }>;
  story(id: string): Promise<TracedStory | undefined>;
}

/** The spans that one event completed, and the position in the journal. */
export interface TraceStep {
  readonly seq: number;
  readonly spans: readonly Span[];
}

export interface TraceQuestion extends SpanWishes {
  readonly after: number;
  readonly story?: string | undefined;
}

const PAGE = 500;
const endings = ['"delegation-closed"', '"delegation-refused"'];

/**
 * Reads the journal once, from an event on, and yields the spans of everything that ended since. Earlier beginnings
 * are looked up, so that nothing is remembered between two readings.
 */
export async function* readTraces(reader: TraceReader, question: TraceQuestion): AsyncGenerator<TraceStep> {
  const stories = new Map<string, TracedStory | undefined>();
  const filter = question.story === undefined ? undefined : { story: question.story };
  for (let cursor = question.after; ;) {
    const page = await reader.eventsAfter(cursor, PAGE, filter);
    for (const { seq, body } of page.events) {
      // A look at the text avoids parsing most events: few of them end anything.
      const event = endings.some((type) => body.includes(type)) ? parseEvent(body) : undefined;
      yield {
        seq,
        spans: event === undefined ? [] : await buildEndedSpans(reader, event, { ...question, stories }),
      };
    }
    cursor = page.cursor;
    if (page.events.length < PAGE) return;
  }
}

interface Reading extends SpanWishes {
  readonly stories: Map<string, TracedStory | undefined>;
}

async function buildEndedSpans(
  reader: TraceReader,
  event: JournalEvent,
  reading: Reading,
): Promise<readonly Span[]> {
  if (event.type !== "delegation-closed" && event.type !== "delegation-refused") return [];
  const { stories } = reading;
  if (!stories.has(event.story)) stories.set(event.story, await reader.story(event.story));
  const story = stories.get(event.story);
  if (story === undefined) return [];
  if (event.type === "delegation-refused") return [refusalSpan(story, event)];
  return buildSpans(story, await ownEvents(reader, event.delegation ?? event.story), reading);
}

async function ownEvents(reader: TraceReader, delegation: string): Promise<readonly JournalEvent[]> {
  const events: JournalEvent[] = [];
  for (let cursor = 0; ;) {
    const page = await reader.eventsAfter(cursor, PAGE, { delegation });
    for (const { body } of page.events) {
      const event = parseEvent(body);
      if (event !== undefined) events.push(event);
    }
    cursor = page.cursor;
    if (page.events.length < PAGE) return events;
  }
}
