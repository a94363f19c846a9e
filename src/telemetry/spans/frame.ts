import type { JournalEvent } from "../../contract/journal-event.ts";
import type { TracedStory } from "./trace-ids.ts";

/** The facts that all spans of one delegation share. */
export interface SpanFrame {
  readonly id: string;
  readonly story: TracedStory;
  readonly events: readonly JournalEvent[];
  readonly traceId: string;
  /** The span of the delegation itself, the parent of all others. */
  readonly spanId: string;
  readonly endMs: number;
  readonly withContent: boolean;
  readonly providers: ReadonlyMap<string, string>;
}

/** When the newest of these events before an event was; undefined when there was none. */
export function latestBefore(
  events: readonly JournalEvent[],
  seq: number,
  types: readonly JournalEvent["type"][],
): number | undefined {
  const found = events.findLast((event) => event.seq < seq && types.includes(event.type));
  return found === undefined ? undefined : Date.parse(found.at);
}
