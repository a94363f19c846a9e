import { journalEventSchema } from "../../contract/journal-event.ts";
import { applyEvent } from "./apply-event.ts";
import { Database } from "./database.ts";
import { readInteger, readText } from "./rows.ts";
import { projectionTables } from "./schema.ts";

const PAGE = 2000;

export interface ReplayRange {
  /** The last event that the target has already seen. */
  readonly after: number;
  readonly limit?: number;
}

/** Applies the next events to the target; returns the number of the last one and how many there were. */
export function replayPage(
  source: Database,
  target: Database,
  { after, limit = PAGE }: ReplayRange,
): { readonly last: number; readonly replayed: number } {
  const rows = source.rows("SELECT seq, body FROM events WHERE seq > ? ORDER BY seq LIMIT ?", [after, limit]);
  let last = after;
  for (const row of rows) {
    applyEvent(target, journalEventSchema.parse(JSON.parse(readText(row, "body"))));
    last = readInteger(row, "seq");
  }
  return { last, replayed: rows.length };
}

/** Applies all events after one; returns how many there were. */
export function replayEvents(source: Database, target: Database, after = 0): number {
  let [cursor, count] = [after, 0];
  for (;;) {
    const { last, replayed } = replayPage(source, target, { after: cursor });
    [cursor, count] = [last, count + replayed];
    if (replayed < PAGE) return count;
  }
}

/** A file for projections that are made by replay alone. A kill costs only the file, so it is written without syncing. */
export function openReplay(file: string, { isNew }: { readonly isNew: boolean }): Database {
  const database = new Database(file, { readOnly: false });
  try {
    database.execute("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; BEGIN");
    if (isNew) database.execute(tablesToReplayInto);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The tables without the indexes that only readers need. With those a replay takes half as long again. */
const tablesToReplayInto = projectionTables
  .split("\n")
  .filter((line) => !line.startsWith("CREATE INDEX") || line.includes(" messages_by_recipient "))
  .join("\n");
