import type { Database } from "./database.ts";
import { replayEvents } from "./replay.ts";
import { projectionNames, projectionTables, projectionVersion } from "./schema.ts";

/** Drops every projection and replays the journal into fresh ones, in one transaction: readers see old or new. */
export function rebuildProjections(database: Database): number {
  database.execute("BEGIN IMMEDIATE");
  try {
    for (const name of projectionNames) database.execute(`DROP TABLE IF EXISTS ${name}`);
    database.execute(projectionTables);
    const replayed = replayEvents(database, database);
    database.run("INSERT OR REPLACE INTO meta (name, value) VALUES ('projection_version', ?)", [
      String(projectionVersion),
    ]);
    database.execute("COMMIT");
    return replayed;
  } catch (error) {
    database.execute("ROLLBACK");
    throw error;
  }
}
