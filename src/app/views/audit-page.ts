import type { EventFilter, StoredEvent, StoreReader } from "../../journal/store.ts";
import { buildAuditList, type AuditEntry } from "../../reports/audit.ts";
import { describeEvent } from "./event-detail.ts";
import type { AuditEvent, AuditPage, AuditRow, StreamEvent } from "./types/audit.ts";

export interface AuditQuestion {
  readonly after: number | undefined;
  readonly before: number | undefined;
  readonly limit: number;
  readonly story: string | undefined;
  readonly delegation: string | undefined;
  readonly type: string | undefined;
  /** A part of what it says or is about, in any case. */
  readonly text: string | undefined;
}

/** How many events are looked at for one page of one type. */
const MAX_LOOKED_AT = 20_000;
const PAGE = 1000;

/** Events by their numbers: forwards from `after`, backwards from `before`, else the newest. */
export async function readAuditPage(
  reader: StoreReader | undefined,
  question: AuditQuestion,
): Promise<AuditPage> {
  if (reader === undefined) return { seq: 0, events: [], after: null, before: null };
  const { seq } = await reader.head();
  const filter = buildFilter(question);
  const { after, before = seq + 1 } = question;
  const found =
    after === undefined
      ? await readBackwards(reader, { ...question, filter, before })
      : await readForwards(reader, { ...question, filter, after });
  return {
    seq,
    events: found.entries.map(describeEntry),
    after: found.last >= seq ? null : found.last,
    before: found.first <= 1 ? null : found.first,
  };
}

/** Events found, and the numbers between which all that match are among them. */
interface Found {
  readonly entries: readonly AuditEntry[];
  readonly first: number;
  readonly last: number;
}

/** One event with its whole document; undefined where there is none of that number. */
export async function readAuditEvent(
  reader: StoreReader | undefined,
  seq: number,
): Promise<AuditEvent | undefined> {
  const page = await reader?.eventsAfter(seq - 1, 1);
  const [entry] = buildAuditList(page?.events ?? []);
  if (entry === undefined || entry.seq !== seq) return undefined;
  return { ...describeEntry(entry), json: JSON.stringify(entry.document, null, 2) };
}

export function describeEvents(events: readonly StoredEvent[]): readonly StreamEvent[] {
  return buildAuditList(events).map((entry) => {
    const { hash: _, ...event } = describeEntry(entry);
    return event;
  });
}

function describeEntry(entry: AuditEntry): AuditRow {
  const { seq, at, type, about, attempt, hash, document } = entry;
  const run = typeof document["story"] === "string" ? document["story"] : "";
  return { seq, at, type, run, about, attempt, detail: describeEvent(entry), hash };
}

function buildFilter({ story, delegation }: AuditQuestion): EventFilter {
  if (delegation !== undefined) return { delegation };
  return story === undefined ? {} : { story };
}

type Search = AuditQuestion & { readonly filter: EventFilter };

async function readForwards(
  reader: StoreReader,
  { filter, limit, after, ...wanted }: Search & { readonly after: number },
): Promise<Found> {
  const entries: AuditEntry[] = [];
  let last = after;
  for (let looked = 0; looked < MAX_LOOKED_AT && entries.length < limit; looked += PAGE) {
    const page = await reader.eventsAfter(last, PAGE, filter);
    entries.push(...filterEntries(page.events, wanted));
    last = page.cursor;
    if (page.events.length === PAGE) continue;
    // Whatever comes later than the last that matches does not match.
    last = Math.max(last, (await reader.head()).seq);
    break;
  }
  const kept = entries.slice(0, limit);
  return {
    entries: kept,
    first: after + 1,
    last: kept.length < entries.length ? readLastSeq(kept, after) : last,
  };
}

/** The store reads forwards only: pieces before `before` are read until there are enough. */
async function readBackwards(
  reader: StoreReader,
  search: Search & { readonly before: number },
): Promise<Found> {
  const { filter, limit, before, ...wanted } = search;
  const newestFirst: AuditEntry[] = [];
  let first = before;
  for (let looked = 0; looked < MAX_LOOKED_AT && newestFirst.length < limit && first > 1; looked += PAGE) {
    const piece = await readPieceBefore(reader, filter, first);
    newestFirst.push(...filterEntries(piece.events, wanted).toReversed());
    first = piece.from;
  }
  const entries = newestFirst.toReversed();
  const kept = entries.slice(-limit);
  const isCut = kept.length < entries.length;
  return { entries: kept, first: isCut ? (kept[0]?.seq ?? first) : first, last: before - 1 };
}

interface Piece {
  readonly events: readonly StoredEvent[];
  /** Everything that matches from this number on is in it. */
  readonly from: number;
}

/** Of the whole journal a stretch of numbers; of one run, whose numbers have gaps, as many of the newest as it takes. */
async function readPieceBefore(reader: StoreReader, filter: EventFilter, before: number): Promise<Piece> {
  if (filter.story === undefined && filter.delegation === undefined) {
    const start = Math.max(0, before - 1 - PAGE);
    const { events } = await reader.eventsAfter(start, PAGE, filter);
    return { events: events.filter(({ seq }) => seq < before), from: start + 1 };
  }
  for (let count = PAGE; ; count *= 4) {
    const newest = await reader.newestEvents(count, filter);
    const events = newest.filter(({ seq }) => seq < before).slice(-PAGE);
    const isAll = newest.length < count;
    if (!isAll && events.length < PAGE) continue;
    return { events, from: isAll && events.length < PAGE ? 1 : (events[0]?.seq ?? 1) };
  }
}

function readLastSeq(entries: readonly AuditEntry[], otherwise: number): number {
  return entries.at(-1)?.seq ?? otherwise;
}

/** Those of a type, and with a text, where they are asked for. */
function filterEntries(
  events: readonly StoredEvent[],
  { type, text }: Pick<AuditQuestion, "type" | "text">,
): readonly AuditEntry[] {
  const wanted = text?.toLowerCase();
  return buildAuditList(events).filter((entry) => {
    if (type !== undefined && entry.type !== type) return false;
    if (wanted === undefined) return true;
    return [entry.type, entry.about, describeEvent(entry)].some((part) =>
      part.toLowerCase().includes(wanted),
    );
  });
}
