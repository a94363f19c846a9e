import { chainHash } from "../model/hash-chain.ts";
import { type ChainHead, type SoundPage, verifyBytes } from "./chain-bytes.ts";
import type { Database } from "./database.ts";

export type { ChainHead } from "./chain-bytes.ts";

/** An event that is known from elsewhere to have been written. */
export interface KnownEvent {
  readonly events: number;
  readonly hash: string;
}

export interface ChainPage extends SoundPage {
  /** The first fault after `head`: an event that was changed or is missing. */
  readonly fault?: { readonly seq: number; readonly reason: string };
}

const PAGE = 1000;

interface PageOptions {
  readonly known?: KnownEvent | undefined;
  readonly limit?: number;
}

/** Recomputes the links of the next events after `head`. */
export function verifyPage(
  database: Database,
  head: ChainHead,
  { known, limit = PAGE }: PageOptions = {},
): ChainPage {
  const isKnownNext = known !== undefined && known.events > head.seq && known.events <= head.seq + limit;
  const sound = isKnownNext ? undefined : verifyBytes(database, head, limit);
  return sound ?? verifyRows(database, head, { known, limit });
}

/** Verifies event by event, and reports the first fault. */
function verifyRows(database: Database, head: ChainHead, { known, limit = PAGE }: PageOptions): ChainPage {
  const rows = database.tuples(
    "SELECT seq, type, story, delegation, body, hash FROM events WHERE seq > ? ORDER BY seq LIMIT ?",
    [head.seq, limit],
  );
  let { seq, hash } = head;
  for (const row of rows) {
    const reason = findFault(row, seq + 1, hash) ?? findReplaced(row, seq + 1, known);
    if (reason !== undefined) return { head: { seq, hash }, fault: { seq: seq + 1, reason }, isLast: false };
    seq += 1;
    hash = String(row[5]);
  }
  return { head: { seq, hash }, isLast: rows.length < limit };
}

type EventRow = readonly unknown[];

function findFault(row: EventRow, seq: number, previous: string): string | undefined {
  const [storedSeq, , , , body, hash] = row;
  if (storedSeq !== seq) return `event ${seq} is missing`;
  if (typeof body !== "string" || typeof hash !== "string") return "event is not text";
  if (chainHash(previous, body) !== hash) return "the stored text does not match its hash";
  return columnsMatch(row, body) ? undefined : "an indexed column does not match the stored text";
}

function findReplaced(row: EventRow, seq: number, known: KnownEvent | undefined): string | undefined {
  if (known?.events !== seq || row[5] === known.hash) return undefined;
  return "git knows another one in its place";
}

/** The columns next to the text are for searching; changing them does not break the chain, so they are compared. */
export function columnsMatch(row: EventRow, body: string): boolean {
  const event: unknown = JSON.parse(body);
  if (typeof event !== "object" || event === null) return false;
  const fields = new Map<string, unknown>(Object.entries(event));
  return ["seq", "type", "story", "delegation"].every((name, index) => fields.get(name) === row[index]);
}
