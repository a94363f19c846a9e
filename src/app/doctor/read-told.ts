import { journalEventSchema, type JournalEvent } from "../../contract/journal-event.ts";
import type { StoreReader } from "../../journal/store.ts";

/** Facts of the newest events that no projection keeps. */
export interface Told {
  readonly returns: readonly { readonly id: string; readonly codes: readonly string[] }[];
  readonly refusals: readonly { readonly id: string; readonly code: string; readonly message: string }[];
  /** Why an agent was chosen, by delegation: the first note of each. */
  readonly reasons: ReadonlyMap<string, string>;
}

const NEWEST = 5000;

export async function readEvents(reader: StoreReader): Promise<Told> {
  const stored = await reader.newestEvents(NEWEST);
  const events = stored.flatMap(({ body }) => {
    const event = journalEventSchema.safeParse(JSON.parse(body));
    return event.success ? [event.data] : [];
  });
  return {
    returns: events.flatMap((event) =>
      event.type === "return-rejected" ? [{ id: ownerOf(event), codes: event.data.codes }] : [],
    ),
    refusals: events.flatMap((event) =>
      event.type === "delegation-refused"
        ? event.data.failures.map(({ code, message }) => ({ id: event.data.parent, code, message }))
        : [],
    ),
    reasons: reasonsOf(events),
  };
}

function reasonsOf(events: readonly JournalEvent[]): ReadonlyMap<string, string> {
  const reasons = new Map<string, string>();
  for (const event of events) {
    const owner = ownerOf(event);
    if (event.type !== "note-added" || event.data.unserved !== undefined) continue;
    if (!reasons.has(owner)) reasons.set(owner, event.data.text);
  }
  return reasons;
}

function ownerOf({ delegation, story }: JournalEvent): string {
  return delegation ?? story;
}
