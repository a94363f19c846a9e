import { hash as digest } from "node:crypto";
import type { Database } from "./database.ts";

export interface ChainHead {
  readonly seq: number;
  readonly hash: string;
}

export interface SoundPage {
  /** The last event that is unchanged. */
  readonly head: ChainHead;
  readonly isLast: boolean;
}

const NEWLINE = 10;
const HASH_LENGTH = 64;

/**
 * Recomputes the links of the next events on the bytes of all of them together: a journal may have a million events, and
 * making a row of each readable takes longer than hashing it. Returns undefined if anything is unusual.
 */
export function verifyBytes(database: Database, head: ChainHead, limit: number): SoundPage | undefined {
  const [[count, last, matching, text] = []] = database.tuples(NEXT_EVENTS, [head.seq, limit]);
  if (count === 0) return { head, isLast: true };
  if (typeof count !== "number" || last !== head.seq + count || matching !== count) return undefined;
  if (!(text instanceof Uint8Array)) return undefined;
  const hash = followLinks(Buffer.concat([Buffer.from(`${head.hash}\n`), text]), count);
  return hash === undefined ? undefined : { head: { seq: last, hash }, isLast: count < limit };
}

/**
 * The first 38 characters of each text are `{"seq":N,"at":"…"` without the digits of its number. An event with an escaped
 * character in one of the columns does not match and is verified alone.
 */
const COLUMNS_MATCH = `substr(body, 1, 14 + length(seq)) = '{"seq":' || seq || ',"at":"'
  AND instr(body, '","type":"' || type || '","story":"' || story || '","delegation":'
    || ifnull('"' || delegation || '"', 'null') || ',"attempt":') = 39 + length(seq)`;

const NEXT_EVENTS = `SELECT count(*), max(seq), sum(${COLUMNS_MATCH}),
    CAST(group_concat(body || char(10) || hash, char(10)) AS BLOB)
  FROM (SELECT * FROM events WHERE seq > ? ORDER BY seq LIMIT ?)`;

/**
 * Returns the hash of the last of `count` events, from lines `hash, text, hash, text, … hash`. The input of an event's
 * hash, which is the hash before it, a line break and its text, is one piece of these lines. Returns undefined if a hash
 * does not match.
 */
function followLinks(lines: Buffer, count: number): string | undefined {
  let at = 0;
  for (let event = 0; event < count; event += 1) {
    const end = lines.indexOf(NEWLINE, at + HASH_LENGTH + 1);
    if (end === -1) return undefined;
    const expected = digest("sha256", lines.subarray(at, end), "hex");
    if (lines.toString("latin1", end + 1, end + 1 + HASH_LENGTH) !== expected) return undefined;
    at = end + 1;
  }
  // One more line would mean that a text contains a line break, which is never written.
  return at + HASH_LENGTH === lines.length ? lines.toString("latin1", at) : undefined;
}
