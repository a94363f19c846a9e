import { statSync } from "node:fs";
import type { Database } from "./database.ts";

const RESERVE_BYTES = 1024 * 1024;

/**
 * Reserves free pages inside the store and length in the write-ahead log: on a full disk, running work can then still be
 * recorded and ended, and no other program can take that space. Throws if the disk has no such space.
 */
export function keepRoom(database: Database): void {
  if (freeBytes(database) >= RESERVE_BYTES && logBytes(database) >= RESERVE_BYTES) return;
  // The table is written before it is dropped, because only then do its pages have a place on the disk. Its bytes are
  // random, because compressing file systems store zeros in almost no space.
  inTransaction(database, `${CREATE}; INSERT INTO reserve VALUES (randomblob(${RESERVE_BYTES}))`);
  restartLog(database);
  inTransaction(database, "DROP TABLE IF EXISTS reserve");
}

/** Restarts the write-ahead log, so that the next commit fits into its current length. */
export function restartLog(database: Database): void {
  database.execute("PRAGMA wal_checkpoint(RESTART)");
}

/**
 * Brings the events of the write-ahead log into the store's own file. Closing does that only if no other process has the
 * store open, and a person may have deleted the log.
 */
export function bringInLog(database: Database): void {
  try {
    database.execute("PRAGMA wal_checkpoint(PASSIVE)");
  } catch {
    // The disk is full; the events stay in the log.
  }
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
  return readPragma(database, "freelist_count") * readPragma(database, "page_size");
}

function readPragma(database: Database, name: "freelist_count" | "page_size"): number {
  return Number(database.row(`PRAGMA ${name}`)?.get(name) ?? 0);
}

function logBytes(database: Database): number {
  return statSync(`${database.file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}
