import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { readErrorMessage } from "../base/delegation-error.ts";
import { backupFile } from "./back-up-store.ts";
import { Database } from "./sqlite/database.ts";
import { openForWriting } from "./sqlite/open-database.ts";
import { rebuildProjections } from "./sqlite/rebuild.ts";
import { type ChainHead, columnsMatch } from "./sqlite/verify-chain.ts";
import { chainHash, emptyChainHash } from "./model/hash-chain.ts";

/** The positions of the page size and of the number of pages in the header of an SQLite file. */
const HEADER_BYTES = 100;
const PAGE_SIZE_AT = 16;
const PAGE_COUNT_AT = 28;
const MAX_PAGE_BYTES = 65_536;
const MAX_PADDED_BYTES = 64 * 1024 ** 3;

export interface StoreRepair {
  /** `sound`: nothing had to be done. `empty`: there is nothing to repair from. */
  readonly status: "empty" | "repaired" | "sound";
  readonly events: number;
  readonly from: "backup" | "both" | "store";
  /** Where the damaged files are kept. */
  readonly aside: string | undefined;
  /** The fault that was found. */
  readonly reason: string | undefined;
}

/**
 * Makes a new store from the longest unbroken chain of events that the damaged one and its backup still have together. The
 * damaged files are moved aside, never deleted. The caller owns the project.
 */
export function repairStore(file: string, timestamp: string): StoreRepair {
  const backup = backupFile(file);
  const repaired = `${file}.repaired`;
  // An earlier repair was killed when it had moved the damaged files away, or some of them.
  if (!existsSync(file) && existsSync(repaired)) putInPlace(repaired, { file, timestamp });
  const own = salvage([file, backup], `${file}.salvaged`);
  // A store that began again has another chain than its backup.
  const kept = salvage([backup, file], `${file}.restored`);
  try {
    const reason = own.troubles.get(file);
    const best = own.events >= kept.events ? own : kept;
    const from = describeSources(best, file);
    if (reason === undefined && from === "store" && best.events > 0)
      return { status: "sound", events: best.events, from, aside: undefined, reason };
    if (best.events === 0) return { status: "empty", events: 0, from, aside: undefined, reason };
    renameSync(best.to, repaired);
    const aside = putInPlace(repaired, { file, timestamp });
    return { status: "repaired", events: best.events, from, aside, reason: reason ?? "it was emptied" };
  } finally {
    for (const { to } of [own, kept]) removeStore(to);
  }
}

function describeSources({ sources }: Salvaged, file: string): StoreRepair["from"] {
  if (sources.size > 1) return "both";
  return sources.size === 0 || sources.has(file) ? "store" : "backup";
}

interface Salvaged {
  readonly events: number;
  /** The files that the events are from. */
  readonly sources: ReadonlySet<string>;
  /** What was found wrong with each file. */
  readonly troubles: ReadonlyMap<string, string>;
  readonly to: string;
}

/** Copies what can be read into a new store: where one file ends or is damaged, the chain may go on in the other. */
function salvage(files: readonly string[], to: string): Salvaged {
  removeStore(to);
  const target = openForWriting(to);
  const sources = new Set<string>();
  const troubles = new Map<string, string>();
  try {
    target.execute("PRAGMA synchronous = OFF");
    target.execute("BEGIN");
    let head: ChainHead = { seq: 0, hash: emptyChainHash };
    for (let [turn, idle] = [0, 0]; idle < files.length; turn += 1) {
      const file = files[turn % files.length] ?? "";
      const copied = extendChain(file, target, { head, padded: `${to}.padded` });
      idle = copied.head.seq > head.seq ? 0 : idle + 1;
      if (idle === 0) sources.add(file);
      if (copied.trouble !== undefined && !troubles.has(file)) troubles.set(file, copied.trouble);
      head = copied.head;
    }
    target.execute("COMMIT");
    if (head.seq > 0) rebuildProjections(target);
    target.execute("PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(TRUNCATE)");
    return { events: head.seq, sources, troubles, to };
  } finally {
    target.close();
  }
}

interface CopyStart {
  readonly head: ChainHead;
  /** Where a copy of a shortened file may be made. */
  readonly padded: string;
}

interface CopiedChain {
  readonly head: ChainHead;
  /** The first thing that is not as it was written; undefined if the file simply ends. */
  readonly trouble: string | undefined;
}

function extendChain(from: string, target: Database, { head, padded }: CopyStart): CopiedChain {
  if (!existsSync(from)) return { head, trouble: "there is no file" };
  const direct = copyFrom(from, target, head);
  return direct.head.seq > head.seq ? direct : (copyFromPadded(from, target, { head, padded }) ?? direct);
}

function copyFrom(file: string, target: Database, head: ChainHead): CopiedChain {
  let source: Database | undefined;
  try {
    source = new Database(file, { readOnly: true });
    return copyChain(source, target, head);
  } catch (error) {
    return { head, trouble: readErrorMessage(error) };
  } finally {
    source?.close();
  }
}

/** SQLite refuses a file whose end is missing, although the rest can be read once the file has its full length. */
function copyFromPadded(
  from: string,
  target: Database,
  { head, padded }: CopyStart,
): CopiedChain | undefined {
  const header = Buffer.alloc(HEADER_BYTES);
  const descriptor = openSync(from, "r");
  try {
    if (readSync(descriptor, header) < HEADER_BYTES) return undefined;
  } finally {
    closeSync(descriptor);
  }
  const pageSize = header.readUInt16BE(PAGE_SIZE_AT);
  const bytes = (pageSize === 1 ? MAX_PAGE_BYTES : pageSize) * header.readUInt32BE(PAGE_COUNT_AT);
  if (bytes > MAX_PADDED_BYTES || bytes <= statSync(from).size) return undefined;
  try {
    copyFileSync(from, padded);
    truncateSync(padded, bytes);
    const copied = copyFrom(padded, target, head);
    return { ...copied, trouble: copied.trouble ?? "its end is missing" };
  } finally {
    removeStore(padded);
  }
}

/** The log of a damaged store must not stay beside the new one. Returns where the damaged files are kept. */
function putInPlace(
  repaired: string,
  { file, timestamp }: { readonly file: string; readonly timestamp: string },
): string | undefined {
  const aside = moveAside(file, timestamp);
  renameSync(repaired, file);
  return aside;
}

function moveAside(file: string, timestamp: string): string | undefined {
  const present = listFiles(file).filter((name) => existsSync(name));
  if (present.length === 0) return undefined;
  const folder = join(dirname(file), `damaged-${timestamp.replaceAll(/[:.]/g, "-")}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of present) renameSync(name, join(folder, basename(name)));
  return folder;
}

function removeStore(file: string): void {
  for (const name of listFiles(file)) rmSync(name, { force: true });
}

function listFiles(file: string): readonly string[] {
  return [file, `${file}-wal`, `${file}-shm`];
}

/** Copies events one by one for as long as they can be read and each link of the chain holds. */
function copyChain(source: Database, target: Database, start: ChainHead): CopiedChain {
  let head = start;
  let trouble: string | undefined;
  for (;;) {
    const seq = head.seq + 1;
    try {
      const row = source.tuples(EVENT, [seq])[0];
      if (row === undefined) return { head, trouble: trouble ?? findLater(source, head.seq) };
      const [body, hash] = [String(row[4]), String(row[5])];
      if (chainHash(head.hash, body) !== hash)
        return { head, trouble: trouble ?? `event ${seq} is not what was written` };
      if (!columnsMatch(row, body)) trouble ??= `a column of event ${seq} is not what was written`;
      target.run(INSERT_EVENT, [body, hash]);
      head = { seq, hash };
    } catch (error) {
      return { head, trouble: trouble ?? readErrorMessage(error) };
    }
  }
}

const EVENT = "SELECT seq, type, story, delegation, body, hash FROM events WHERE seq = ?";

/** The columns for searching are in the text, too, and only the text is part of the chain. */
const INSERT_EVENT = `INSERT INTO events (seq, type, story, delegation, body, hash)
  SELECT body ->> 'seq', body ->> 'type', body ->> 'story', body ->> 'delegation', body, hash
  FROM (SELECT ? AS body, ? AS hash)`;

function findLater(source: Database, seq: number): string | undefined {
  const later = source.number("SELECT EXISTS (SELECT 1 FROM events WHERE seq > ?) AS value", [seq]);
  return later > 0 ? `event ${seq + 1} is missing` : undefined;
}
