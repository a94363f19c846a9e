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
  readonly from: "backup" | "store";
  /** Where the damaged files are kept. */
  readonly aside: string | undefined;
  /** The fault that was found. */
  readonly reason: string | undefined;
}

/**
 * Makes a new store from the longest unbroken chain of events that the damaged one or its backup still has. The damaged files
 * are moved aside, never deleted. The caller owns the project.
 */
export function repairStore(file: string, timestamp: string): StoreRepair {
  const own = salvage(file, `${file}.salvaged`);
  const kept = salvage(backupFile(file), `${file}.restored`);
  try {
    if (own.stoppedBy === undefined && own.events >= kept.events && own.events > 0)
      return { status: "sound", events: own.events, from: "store", aside: undefined, reason: undefined };
    const from = own.events >= kept.events ? "store" : "backup";
    const best = from === "store" ? own : kept;
    if (best.events === 0)
      return { status: "empty", events: 0, from, aside: undefined, reason: own.stoppedBy };
    const aside = moveAside(file, timestamp);
    renameSync(best.file, file);
    return {
      status: "repaired",
      events: best.events,
      from,
      aside,
      reason: own.stoppedBy ?? "it was emptied",
    };
  } finally {
    for (const { file: left } of [own, kept]) removeStore(left);
  }
}

type Salvaged = CopiedChain & { readonly file: string };

/** Copies what can be read into a new store. */
function salvage(from: string, to: string): Salvaged {
  removeStore(to);
  if (!existsSync(from)) return { events: 0, stoppedBy: "there is no file", file: to };
  const target = openForWriting(to);
  try {
    target.execute("PRAGMA synchronous = OFF");
    target.execute("BEGIN");
    const direct = copyFrom(from, target);
    const copied = direct.events > 0 ? direct : (copyFromPadded(from, `${to}.padded`, target) ?? direct);
    target.execute("COMMIT");
    if (copied.events > 0) rebuildProjections(target);
    target.execute("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA synchronous = FULL");
    return { ...copied, file: to };
  } finally {
    target.close();
  }
}

function copyFrom(file: string, target: Database): CopiedChain {
  let source: Database | undefined;
  try {
    source = new Database(file, { readOnly: true });
    return copyChain(source, target);
  } catch (error) {
    return { events: 0, stoppedBy: readErrorMessage(error) };
  } finally {
    source?.close();
  }
}

/** SQLite refuses a file whose end is missing, although the rest can be read once the file has its full length. */
function copyFromPadded(from: string, padded: string, target: Database): CopiedChain | undefined {
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
    const copied = copyFrom(padded, target);
    return { ...copied, stoppedBy: copied.stoppedBy ?? "its end is missing" };
  } finally {
    removeStore(padded);
  }
}

function moveAside(file: string, timestamp: string): string | undefined {
  const present = listFiles(file).filter((name) => existsSync(name));
  if (present.length === 0) return undefined;
  const folder = join(dirname(file), `damaged-${timestamp.replaceAll(/[:.]/g, "-")}`);
  mkdirSync(folder, { mode: 0o700 });
  for (const name of present) renameSync(name, join(folder, basename(name)));
  return folder;
}

function removeStore(file: string): void {
  for (const name of listFiles(file)) rmSync(name, { force: true });
}

function listFiles(file: string): readonly string[] {
  return [file, `${file}-wal`, `${file}-shm`];
}

interface CopiedChain {
  readonly events: number;
  /** The reason why the copy ends there; undefined if nothing follows. */
  readonly stoppedBy: string | undefined;
}

/** Copies events one by one for as long as they can be read and each link of the chain holds. */
function copyChain(source: Database, target: Database): CopiedChain {
  let [seq, hash] = [0, emptyChainHash];
  for (;;) {
    try {
      const row = source.row("SELECT type, story, delegation, body, hash FROM events WHERE seq = ?", [
        seq + 1,
      ]);
      if (row === undefined) return { events: seq, stoppedBy: findLater(source, seq) };
      const [body, next] = [String(row.get("body")), String(row.get("hash"))];
      if (chainHash(hash, body) !== next)
        return { events: seq, stoppedBy: `event ${seq + 1} is not what was written` };
      const delegation = row.get("delegation");
      target.run("INSERT INTO events (seq, type, story, delegation, body, hash) VALUES (?, ?, ?, ?, ?, ?)", [
        seq + 1,
        String(row.get("type")),
        String(row.get("story")),
        typeof delegation === "string" ? delegation : null,
        body,
        next,
      ]);
      [seq, hash] = [seq + 1, next];
    } catch (error) {
      return { events: seq, stoppedBy: readErrorMessage(error) };
    }
  }
}

function findLater(source: Database, seq: number): string | undefined {
  const later = source.number("SELECT EXISTS (SELECT 1 FROM events WHERE seq > ?) AS value", [seq]);
  return later > 0 ? `event ${seq + 1} is missing` : undefined;
}
