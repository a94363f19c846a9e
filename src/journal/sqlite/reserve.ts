import { statSync } from "node:fs";
import type { Database } from "./database.ts";

const RESERVE_BYTES = 1024 * 1024;

/**
 * Keeps free pages inside the store and a write-ahead log of some length: on a full disk, what runs can then still be
 * written down and ended, and no other program can take that room. Throws where the disk has none.
 */
export function keepRoom(database: Database): void {
  if (freeBytes(database) >= RESERVE_BYTES && logBytes(database) >= RESERVE_BYTES) return;
  // Written out before it is dropped: only then the pages have their place on the disk. Random, because file systems
  // that compress would store zeros in nothing.
  inTransaction(database, `${CREATE}; INSERT INTO reserve VALUES (randomblob(${RESERVE_BYTES}))`);
  restartLog(database);
  inTransaction(database, "DROP TABLE IF EXISTS reserve");
}

/** Begins the write-ahead log anew, so that the next commit fits into the length it has. */
export function restartLog(database: Database): void {
  database.execute("PRAGMA wal_checkpoint(RESTART)");
}

const CREATE = "CREATE TABLE IF NOT EXISTS reserve (bytes BLOB)";

function inTransaction(database: Database, statements: string): void {
  try {
    database.execute(`BEGIN IMMEDIATE; ${statements}; COMMIT`);
  } catch (error) {
    if (database.isInTransaction) database.execute("ROLLBACK");
    throw error;
  }
}

function freeBytes(database: Database): number {
  return pragma(database, "freelist_count") * pragma(database, "page_size");
}

function pragma(database: Database, name: "freelist_count" | "page_size"): number {
  return Number(database.row(`PRAGMA ${name}`)?.[name] ?? 0);
}

function logBytes(database: Database): number {
  return statSync(`${database.file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}
