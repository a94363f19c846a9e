import type { Database } from "../sqlite/database.ts";
import { readInteger, readText, textOrNull } from "../sqlite/rows.ts";
import type { AppendBatch, HeldLease } from "./remote-journal.ts";

/** What the jobs of the current transaction have appended after an event, and the leases that began or ended with it. */
export function collectBatch(database: Database, after: number): AppendBatch {
  const rows = database.rows("SELECT delegation, body, hash FROM events WHERE seq > ? ORDER BY seq", [after]);
  const touched = new Set(rows.flatMap((row) => textOrNull(row, "delegation") ?? []));
  const leases: HeldLease[] = [];
  const ended: string[] = [];
  for (const id of touched) {
    if (!isHeld(database, id)) ended.push(id);
    else if (beganIn(database, after, id)) leases.push(...readLease(database, id));
  }
  const events = rows.map((row) => ({ body: readText(row, "body"), hash: readText(row, "hash") }));
  return { after, events, leases, ended };
}

/** A delegation that waits in the queue or has ended has no owner. */
function isHeld(database: Database, id: string): boolean {
  const state = database.text("SELECT state AS value FROM delegations WHERE id = ?", [id]);
  return state !== "queued" && state !== "closed";
}

/** Leases are extended without these tables, so that only the beginning of one is known here. */
function beganIn(database: Database, after: number, id: string): boolean {
  const sql =
    "SELECT count(*) AS value FROM events WHERE seq > ? AND delegation = ? AND type = 'attempt-started'";
  return database.number(sql, [after, id]) > 0;
}

function readLease(database: Database, id: string): readonly HeldLease[] {
  return database
    .rows("SELECT attempt, owner, expires_ms FROM leases WHERE delegation = ?", [id])
    .map((row) => ({
      delegation: id,
      attempt: readInteger(row, "attempt"),
      owner: readText(row, "owner"),
      expires: readInteger(row, "expires_ms"),
    }));
}
