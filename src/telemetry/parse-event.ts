import { journalEventSchema, type JournalEvent } from "../contract/journal-event.ts";

/** Undefined for events of a later version or damaged ones; verifying the journal names those. */
export function parseEvent(body: string): JournalEvent | undefined {
  try {
    const parsed = journalEventSchema.safeParse(JSON.parse(body));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
