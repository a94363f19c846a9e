import { createHash } from "node:crypto";

/** One file of an index. Paths are Latin-1 text: one character per byte, so texts sort as bytes do. */
export interface IndexEntry {
  readonly path: string;
  readonly id: string;
  readonly mode: number;
  /** Where the entry begins. */
  readonly at: number;
}

/** What git compares with a file to see whether it changed. */
export interface FileFacts {
  readonly seconds: number;
  readonly inode: number;
  readonly user: number;
  readonly group: number;
  readonly size: number;
}

export const INDEX_HEADER_BYTES = 12;
const FACTS_BYTES = 40;
const MODE_AT = 24;
const UINT32 = 2 ** 32;
const NAME_MASK = 0xfff;

/** How many files an index lists, by its first bytes; undefined if it is in another format than git's usual one. */
export function countIndexEntries(index: Buffer): number | undefined {
  const isUsual =
    index.length >= INDEX_HEADER_BYTES &&
    index.toString("latin1", 0, 4) === "DIRC" &&
    index.readUInt32BE(4) === 2;
  return isUsual ? index.readUInt32BE(8) : undefined;
}

/** The entries of an index as `git read-tree` writes it, in its order; undefined if it is in another format. */
export function readIndexEntries(index: Buffer, idBytes: number): readonly IndexEntry[] | undefined {
  const count = countIndexEntries(index);
  if (count === undefined) return undefined;
  const entries: IndexEntry[] = [];
  const nameAt = FACTS_BYTES + idBytes + 2;
  for (let at = INDEX_HEADER_BYTES; entries.length < count;) {
    const id = index.toString("hex", at + FACTS_BYTES, at + FACTS_BYTES + idBytes);
    const length = index.readUInt16BE(at + nameAt - 2) & NAME_MASK;
    // A longer name ends at its zero.
    const end = length < NAME_MASK ? at + nameAt + length : index.indexOf(0, at + nameAt);
    entries.push({
      path: index.toString("latin1", at + nameAt, end),
      id,
      mode: index.readUInt32BE(at + MODE_AT),
      at,
    });
    // At least one zero, up to a multiple of eight.
    at += Math.floor((end - at + 8) / 8) * 8;
  }
  return entries;
}

/** Writes what git compares into an entry. */
export function fillIndexEntry(index: Buffer, { at }: IndexEntry, facts: FileFacts): void {
  // Change time and time, each with nanoseconds; the device, which git does not compare, stays as it is.
  index.writeUInt32BE(facts.seconds, at);
  index.writeUInt32BE(facts.seconds, at + 8);
  index.writeUInt32BE(facts.inode % UINT32, at + 20);
  index.writeUInt32BE(facts.user, at + 28);
  index.writeUInt32BE(facts.group, at + 32);
  index.writeUInt32BE(facts.size % UINT32, at + 36);
}

/** Renews the checksum at the end. */
export function sealIndex(index: Buffer, idBytes: number): void {
  const end = index.length - idBytes;
  const hash = createHash(idBytes === 20 ? "sha1" : "sha256");
  hash.update(index.subarray(0, end)).digest().copy(index, end);
}
