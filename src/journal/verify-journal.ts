import { chainHash, emptyChainHash } from "./model/hash-chain.ts";
import { openForReading } from "./sqlite/open-database.ts";
import type { Database, Row } from "./sqlite/database.ts";
import { findDifferingProjections } from "./sqlite/rebuild.ts";

export interface JournalVerdict {
  readonly events: number;
  readonly headHash: string;
  /** The first event that is not what was written, or undefined. */
  readonly firstBad?: { readonly seq: number; readonly reason: string };
  /** Projections that differ from a replay; only looked at when the chain holds. */
  readonly differingProjections: readonly string[];
}

const PAGE = 2000;

/** An event that is known from elsewhere to have been written. */
export interface KnownEvent {
  readonly events: number;
  readonly hash: string;
}

/**
 * Recomputes every link of the chain and every projection, and looks for the event that is known to have been written. Reads
 * in pages; writes nothing.
 */
export function verifyJournal(file: string, known?: KnownEvent): JournalVerdict {
  const database = openForReading(file);
  if (database === undefined)
    return { events: 0, headHash: emptyChainHash, differingProjections: [], ...findMissing(0, known) };
  try {
    // One snapshot for both; otherwise an event that arrives in between would look like a difference.
    database.execute("BEGIN");
    const chain = verifyChain(database, known);
    const differingProjections = chain.firstBad === undefined ? findDifferingProjections(database) : [];
    return { ...chain, differingProjections };
  } finally {
    database.close();
  }
}

function verifyChain(
  database: Database,
  known: KnownEvent | undefined,
): Omit<JournalVerdict, "differingProjections"> {
  let head = { seq: 0, hash: emptyChainHash };
  for (;;) {
    const rows = database.rows("SELECT * FROM events WHERE seq > ? ORDER BY seq LIMIT ?", [head.seq, PAGE]);
    for (const row of rows) {
      const expectedSeq = head.seq + 1;
      const reason =
        findFault(row, { seq: expectedSeq, previous: head.hash }) ?? findReplaced(row, expectedSeq, known);
      if (reason !== undefined) {
        return { events: head.seq, headHash: head.hash, firstBad: { seq: expectedSeq, reason } };
      }
      head = { seq: expectedSeq, hash: String(row.get("hash")) };
    }
    if (rows.length < PAGE) return { events: head.seq, headHash: head.hash, ...findMissing(head.seq, known) };
  }
}

/** A shorter chain holds as well as a whole one; only what is known from elsewhere shows that its end is gone. */
function findMissing(events: number, known: KnownEvent | undefined): Pick<JournalVerdict, "firstBad"> {
  if (known === undefined || events >= known.events) return {};
  const reason = `it is missing; git knows that ${known.events} were written`;
  return { firstBad: { seq: events + 1, reason } };
}

function findReplaced(row: Row, seq: number, known: KnownEvent | undefined): string | undefined {
  if (known?.events !== seq || row.get("hash") === known.hash) return undefined;
  return "git knows another one in its place";
}

function findFault(row: Row, expected: { seq: number; previous: string }): string | undefined {
  const [body, hash] = [row.get("body"), row.get("hash")];
  if (row.get("seq") !== expected.seq) return `event ${expected.seq} is missing`;
  if (typeof body !== "string" || typeof hash !== "string") return "event is not text";
  if (chainHash(expected.previous, body) !== hash) return "the stored text does not match its hash";
  return columnsMatch(row, body) ? undefined : "an indexed column does not match the stored text";
}

/** The columns next to the text are for searching; changing them does not break the chain, so they are compared. */
function columnsMatch(row: Row, body: string): boolean {
  const event: unknown = JSON.parse(body);
  if (typeof event !== "object" || event === null) return false;
  const fields = new Map<string, unknown>(Object.entries(event));
  return ["seq", "type", "story", "delegation"].every((name) => fields.get(name) === row.get(name));
}
