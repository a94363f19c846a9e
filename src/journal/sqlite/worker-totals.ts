import { outcomes } from "../../contract/outcome.ts";
import type { WorkerTotals } from "../model/store-totals.ts";
import type { Database, Row } from "./database.ts";
import { integer, textOrNull } from "./rows.ts";

/** Counted by SQLite; it returns one row per agent. */
export function readWorkerTotals(database: Database): readonly WorkerTotals[] {
  const counts = outcomes.map((outcome) => `sum(outcome IS '${outcome}') AS n_${outcome}`).join(", ");
  return database
    .rows(
      `SELECT agent, count(*) AS delegations, sum(state <> 'closed') AS open, ${counts},
         count(duration_ms) AS finished, coalesce(avg(duration_ms), 0) AS average,
         coalesce(max(duration_ms), 0) AS longest, sum(attempt) AS attempts, sum(direct_micro) AS micro
       FROM delegations WHERE depth > 0 GROUP BY agent ORDER BY agent`,
    )
    .map(totalsFromRow);
}

function totalsFromRow(row: Row): WorkerTotals {
  const counted = outcomes
    .map((outcome): [string, number] => [outcome, integer(row, `n_${outcome}`)])
    .filter(([, count]) => count > 0);
  return {
    agent: textOrNull(row, "agent"),
    delegations: integer(row, "delegations"),
    open: integer(row, "open"),
    outcomes: Object.fromEntries(counted),
    finished: integer(row, "finished"),
    durationMs: { average: integer(row, "average"), longest: integer(row, "longest") },
    attempts: integer(row, "attempts"),
    microUsd: integer(row, "micro"),
  };
}
