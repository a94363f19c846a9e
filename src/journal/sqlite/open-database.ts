import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { DelegationError } from "../../base/delegation-error.ts";
import { canWrite, makePrivateFile } from "../../base/files.ts";
import { journalErrors } from "../../errors/journal.ts";
import { Database, isBusy } from "./database.ts";
import { migrations, projectionVersion, storeVersion } from "./schema.ts";

const BUSY_TIMEOUT_MS = 10_000;

/** Opens the store for reading; undefined when nothing was ever stored here. */
export function openForReading(file: string): Database | undefined {
  if (!existsSync(file)) return undefined;
  const database = openReadOnly(file);
  assertKnownVersion(database, file);
  // Created but never filled, perhaps because of a kill: for a reader the store is empty.
  if (readVersion(database) > 0 && hasCurrentProjections(database)) return database;
  const hasEvents =
    readVersion(database) > 0 && database.number("SELECT EXISTS (SELECT 1 FROM events) AS value") > 0;
  database.close();
  if (hasEvents) throw journalErrors.projectionsOutdated(file);
  return undefined;
}

/** Opens the store for writing, creating it on first use. */
export function openForWriting(file: string): Database {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // SQLite gives the files next to it the same mode.
    for (const name of [file, `${file}-wal`, `${file}-shm`])
      makePrivateFile(name, { isCreated: name === file });
  } catch (error) {
    throw journalErrors.storeUnusable(file, error);
  }
  const database = new Database(file, { readOnly: false });
  try {
    makeDurable(database);
    assertKnownVersion(database, file);
    migrateForward(database, migrations);
    return database;
  } catch (error) {
    database.close();
    throw error instanceof DelegationError ? error : journalErrors.storeUnusable(file, error);
  }
}

/**
 * A read-only connection cannot create the WAL index in a read-only folder; an immutable connection needs none. It does
 * not see the WAL, so it is not an option if the WAL holds events or if another process may be about to write one.
 */
function openReadOnly(file: string): Database {
  try {
    const database = new Database(file, { readOnly: true });
    database.execute(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    return database;
  } catch (error) {
    if (isBusy(error) || hasPending(file) || canWrite(dirname(file))) throw error;
    return new Database(`${pathToFileURL(file).href}?immutable=1`, { readOnly: true });
  }
}

function hasPending(file: string): boolean {
  return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/**
 * The driver's default for a re-opened WAL file is NORMAL, which can lose acknowledged events on power loss,
 * and its busy timeout is 0: both are set on every open, and the mode actually obtained is checked.
 */
function makeDurable(database: Database): void {
  database.execute(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  const mode = database.row("PRAGMA journal_mode = WAL")?.get("journal_mode");
  if (mode !== "wal") throw new Error(`write-ahead logging is not available here (got ${String(mode)})`);
  database.execute("PRAGMA synchronous = FULL");
  database.execute("PRAGMA foreign_keys = ON");
}

function assertKnownVersion(database: Database, file: string): void {
  const version = readVersion(database);
  if (version > storeVersion) throw journalErrors.storeTooNew(file, version, storeVersion);
}

/** True when the projections on disk are those this version reads and writes. */
export function hasCurrentProjections(database: Database): boolean {
  const known = database.text("SELECT value FROM meta WHERE name = 'projection_version'");
  return known === String(projectionVersion);
}

/** Runs the steps a store has not seen yet, each in its own transaction together with its version number. */
export function migrateForward(database: Database, steps: readonly string[]): void {
  while (readVersion(database) < steps.length) {
    database.execute("BEGIN IMMEDIATE");
    try {
      // Another process may have migrated while we waited for the lock.
      const version = readVersion(database);
      const step = steps[version];
      if (step !== undefined) {
        database.execute(step);
        database.execute(`PRAGMA user_version = ${version + 1}`);
      }
      database.execute("COMMIT");
    } catch (error) {
      database.execute("ROLLBACK");
      throw error;
    }
  }
}

export function readVersion(database: Database): number {
  const version = database.row("PRAGMA user_version")?.get("user_version");
  return typeof version === "number" ? version : 0;
}
