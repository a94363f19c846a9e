import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type DatabaseSyncInstance } from "@photostructure/sqlite";

/** Held until released or until this process dies: the operating system gives it back, whatever happened. */
export interface ExclusiveLock {
  release(): void;
}

/** Connections of held locks; one that is collected as garbage would let its lock go. */
const held = new Set<DatabaseSyncInstance>();

/**
 * Takes a lock that only one process on this machine can have, or answers undefined. It is an exclusive SQLite
 * transaction on an empty file: unlike a lock file it cannot be left behind, and unlike a lock by modification
 * time it survives a stopped clock or a stopped process.
 */
export function tryExclusiveLock(file: string): ExclusiveLock | undefined {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const connection = new DatabaseSync(file);
  try {
    connection.exec("PRAGMA busy_timeout = 0");
    connection.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    connection.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  held.add(connection);
  return {
    release: () => {
      if (held.delete(connection)) connection.close();
    },
  };
}

const SQLITE_BUSY = 5;

function isBusy(error: unknown): boolean {
  return typeof error === "object" && error !== null && "errcode" in error && error.errcode === SQLITE_BUSY;
}
