import { dropUndefined, parseJson } from "../../base/json.ts";
import { journalEventSchema, type JournalEvent } from "../../contract/journal-event.ts";
import { journalErrors } from "../../errors/journal.ts";
import type { StoredEvent, StoreReader } from "../model/store.ts";
import { auditLines, refusalLines } from "./audit-lines.ts";
import { statusLines, type Line } from "./delegation-lines.ts";
import { applyToOpen, type OpenDelegation } from "./open-delegation.ts";
import type { Chunk } from "./write-atomically.ts";

const PAGE = 1000;

/**
 * R91: both dialects of `delegation.jsonl`, in the order of the journal. Depends on events alone and holds one page
 * of them and the delegations that are open at that point, so a long history needs no more memory than a short one.
 */
export async function* delegationLog(reader: StoreReader, story: string | undefined): AsyncGenerator<Chunk> {
  const open = new Map<string, OpenDelegation>();
  const filter = dropUndefined({ story });
  for (let cursor = 0; ;) {
    const page = await reader.eventsAfter(cursor, PAGE, filter);
    const lines = page.events.flatMap((stored) =>
      buildLines(parseEvent(stored), { open, hash: stored.hash }),
    );
    yield { text: lines.map((line) => `${JSON.stringify(line)}\n`).join(""), entries: lines.length };
    if (page.events.length < PAGE) return;
    cursor = page.cursor;
  }
}

function buildLines(
  event: JournalEvent,
  { open, hash }: { readonly open: Map<string, OpenDelegation>; readonly hash: string },
): readonly Line[] {
  if (event.type === "delegation-refused") {
    return refusalLines(event, open.get(event.data.parent), hash);
  }
  const child = event.delegation;
  if (child === null) return [];
  const known = applyToOpen(open.get(child), event);
  if (known === undefined) return [];
  if (event.type === "delegation-closed") open.delete(child);
  else open.set(child, known);
  if (known.parent === null) return [];
  const facts = { event, child, known, manager: open.get(known.parent) };
  return [...auditLines(facts, hash), ...statusLines(facts)];
}

function parseEvent({ seq, body }: StoredEvent): JournalEvent {
  const parsed = journalEventSchema.safeParse(parseJson(body));
  if (parsed.success) return parsed.data;
  throw journalErrors.eventUnreadable(seq, parsed.error);
}
