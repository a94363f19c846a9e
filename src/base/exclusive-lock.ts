import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { DatabaseSync, type DatabaseSyncInstance } from "@photostructure/sqlite";
import { makePrivateFile } from "./files.ts";
import { type Clock, systemClock } from "./clock.ts";

/** Held until it is released or this process dies: the operating system frees it in every case. */
export interface ExclusiveLock {
  release(): void;
}

const FIRST_PAUSE_MS = 2;
const MAX_PAUSE_MS = 25;
const SQLITE_BUSY = 5;

/** Keeps the connections of held locks reachable: garbage collection would close one and free its lock. */
const heldConnections = new Set<DatabaseSyncInstance>();

/**
 * Takes a lock that only one process on this machine can hold; undefined where it is taken. The lock is an exclusive
 * SQLite transaction on an empty file: unlike a lock file it cannot be left behind, and unlike a lock by modification time
 * it survives a stopped clock or a stopped process.
 */
export function tryExclusiveLock(file: string): ExclusiveLock | undefined {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  makePrivateFile(file, { isCreated: true });
  const connection = new DatabaseSync(file);
  try {
    // The default journal is a file, which cannot be created on a full disk, where removing things must still work.
    connection.exec("PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY");
    connection.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    connection.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  heldConnections.add(connection);
  return {
    release: () => {
      if (heldConnections.delete(connection)) connection.close();
    },
  };
}

/** Takes the lock as soon as it is free; undefined if that takes longer than `maxWaitMs`. */
export async function waitForExclusiveLock(
  file: string,
  { maxWaitMs, clock = systemClock }: { readonly maxWaitMs: number; readonly clock?: Clock },
): Promise<ExclusiveLock | undefined> {
  const deadline = clock.monotonicMs() + maxWaitMs;
  let pauseMs = FIRST_PAUSE_MS;
  for (;;) {
    const lock = tryExclusiveLock(file);
    if (lock !== undefined || clock.monotonicMs() > deadline) return lock;
    // Uneven pauses, so that many waiting processes do not all try at the same moment.
    await wait(pauseMs * (0.5 + Math.random()));
    pauseMs = Math.min(pauseMs * 1.5, MAX_PAUSE_MS);
  }
}

function isBusy(error: unknown): boolean {
  return typeof error === "object" && error !== null && "errcode" in error && error.errcode === SQLITE_BUSY;
}
