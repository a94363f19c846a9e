import type { Database } from "./database.ts";

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
