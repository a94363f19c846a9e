import {
  journalEventSchema,
  type JournalEvent,
  type JournalEventType,
} from "../../contract/journal-event.ts";
import type { StoreReader } from "../../journal/store.ts";

const PAGE = 500;
/** A delegation reports its use thousands of times; what is told about it here are these. */
const told: ReadonlySet<string> = new Set<JournalEventType>([
  "attempt-started",
  "attempt-ended",
  "attempt-retried",
  "attempt-lost",
  "return-rejected",
  "delegation-returned",
  "criterion-checked",
]);

/** The events of one delegation that its page tells about, in their order. */
export async function readOwnEvents(reader: StoreReader, id: string): Promise<readonly JournalEvent[]> {
  const events: JournalEvent[] = [];
  for (let cursor = 0; ;) {
    const page = await reader.eventsAfter(cursor, PAGE, { delegation: id });
    for (const { body } of page.events) {
      const raw: unknown = JSON.parse(body);
      if (!isTold(raw)) continue;
      const parsed = journalEventSchema.safeParse(raw);
      if (parsed.success) events.push(parsed.data);
    }
    cursor = page.cursor;
    if (page.events.length < PAGE) return events;
  }
}

function isTold(raw: unknown): boolean {
  return typeof raw === "object" && raw !== null && "type" in raw && told.has(String(raw.type));
}
