import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { journalEventSchema } from "../../contract/journal-event.ts";
import { applyEvent } from "./apply-event.ts";
import { Database } from "./database.ts";
import { readInteger, readText } from "./rows.ts";
import { projectionNames, projectionTables, projectionVersion } from "./schema.ts";

const PAGE = 2000;

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

/** Replays into a temporary database and names the projections whose rows differ from those on disk. */
export function findDifferingProjections(database: Database): readonly string[] {
  // On disk, because a large journal's projections would not fit into memory well.
  const folder = mkdtempSync(join(tmpdir(), "ambit-replay-"));
  const copy = new Database(join(folder, "copy.db"), { readOnly: false });
  try {
    copy.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
    copy.execute("BEGIN");
    copy.execute(projectionTables);
    replayEvents(database, copy);
    return projectionNames.filter((name) => !sameRows(database, copy, name));
  } finally {
    copy.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function replayEvents(source: Database, target: Database): number {
  let cursor = 0;
  let replayed = 0;
  for (;;) {
    const rows = source.rows("SELECT seq, body FROM events WHERE seq > ? ORDER BY seq LIMIT ?", [
      cursor,
      PAGE,
    ]);
    for (const row of rows) {
      applyEvent(target, journalEventSchema.parse(JSON.parse(readText(row, "body"))));
      cursor = readInteger(row, "seq");
      replayed += 1;
    }
    if (rows.length < PAGE) return replayed;
  }
}

function sameRows(left: Database, right: Database, table: string): boolean {
  for (let offset = 0; ; offset += PAGE) {
    const page = `SELECT * FROM ${table} ORDER BY rowid LIMIT ${PAGE} OFFSET ${offset}`;
    const ours = left.rows(page);
    if (JSON.stringify(ours) !== JSON.stringify(right.rows(page))) return false;
    if (ours.length < PAGE) return true;
  }
}
