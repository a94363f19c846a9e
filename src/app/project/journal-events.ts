import { journalEventSchema, type JournalEvent } from "../../contract/journal-event.ts";
import type { EventFilter, StoreReader } from "../../journal/store.ts";

const PAGE = 500;

/** The events of a story or delegation in their order; those that only a later version knows are left out. */
export async function readEvents(
  reader: Pick<StoreReader, "eventsAfter">,
  filter: EventFilter,
): Promise<readonly JournalEvent[]> {
  const events: JournalEvent[] = [];
  for (let cursor = 0; ;) {
    const page = await reader.eventsAfter(cursor, PAGE, filter);
    for (const { body } of page.events) {
      const parsed = journalEventSchema.safeParse(JSON.parse(body));
      if (parsed.success) events.push(parsed.data);
    }
    cursor = page.cursor;
    if (page.events.length < PAGE) return events;
  }
}

/** Only the events of one type, with their data. */
export function eventsOfType<Type extends JournalEvent["type"]>(
  events: readonly JournalEvent[],
  type: Type,
): readonly Extract<JournalEvent, { type: Type }>[] {
  return events.filter((event): event is Extract<JournalEvent, { type: Type }> => event.type === type);
}
