import {
  journalEventSchema,
  type JournalEvent,
  type JournalEventType,
} from "../../contract/journal-event.ts";
import type { Approval, Delegation, Message, StoredTodo, StoreReader } from "../../journal/store.ts";

/** The facts that the store has about one delegation. */
export interface DelegationFacts {
  readonly delegation: Delegation;
  readonly events: readonly JournalEvent[];
  readonly approvals: readonly Approval[];
  readonly messages: readonly Message[];
  readonly todos: readonly StoredTodo[];
}

export async function readDelegationFacts(
  reader: StoreReader,
  delegation: Delegation,
): Promise<DelegationFacts> {
  const { id } = delegation;
  return {
    delegation,
    events: await readOwnEvents(reader, id),
    approvals: await reader.approvalsOf(id),
    messages: await readMessages(reader, id),
    todos: await reader.todos({ manager: id }),
  };
}

const MAX_MESSAGES = 200;

/** Messages it sent and received, in the order they were sent. */
async function readMessages(reader: StoreReader, id: string): Promise<readonly Message[]> {
  const sent = await reader.messages({ from: id, limit: MAX_MESSAGES });
  const received = await reader.messages({ to: id, limit: MAX_MESSAGES });
  return [...sent, ...received].toSorted((one, other) => one.sentAt.localeCompare(other.sentAt));
}

const PAGE = 500;
/** A delegation may report its usage thousands of times; its page shows only these events. */
const shownTypes: ReadonlySet<string> = new Set<JournalEventType>([
  "work-kept",
  "attempt-started",
  "attempt-ended",
  "attempt-retried",
  "attempt-lost",
  "return-rejected",
  "delegation-returned",
  "criterion-checked",
]);

/** The events of one delegation that its page shows, in order. */
async function readOwnEvents(reader: StoreReader, id: string): Promise<readonly JournalEvent[]> {
  const events: JournalEvent[] = [];
  for (let cursor = 0; ;) {
    const page = await reader.eventsAfter(cursor, PAGE, { delegation: id });
    for (const { body } of page.events) {
      const raw: unknown = JSON.parse(body);
      if (!isShown(raw)) continue;
      const parsed = journalEventSchema.safeParse(raw);
      if (parsed.success) events.push(parsed.data);
    }
    cursor = page.cursor;
    if (page.events.length < PAGE) return events;
  }
}

function isShown(raw: unknown): boolean {
  return typeof raw === "object" && raw !== null && "type" in raw && shownTypes.has(String(raw.type));
}
