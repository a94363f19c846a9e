import { outcomes } from "../../contract/outcome.ts";
import type { StoreTotals } from "../model/store-totals.ts";
import type { Database } from "./database.ts";

/**
 * Counts and sums over all delegations, computed by SQLite from indexes without reading rows. `+depth` keeps the
 * planner from the index on depth, which holds every delegation ever made.
 */
export function readTotals(database: Database): StoreTotals {
  const finished = database.number(
    "SELECT count(*) AS value FROM delegations WHERE duration_ms IS NOT NULL AND +depth > 0",
  );
  const sums = database.row(
    `SELECT total(direct_micro) AS micro, total(input_tokens + cached_tokens) AS input,
       total(output_tokens) AS output FROM delegations WHERE depth > 0`,
  );
  return {
    delegations: database.number("SELECT count(*) AS value FROM delegations WHERE depth > 0"),
    maxDepthSeen: database.number("SELECT max(depth) AS value FROM delegations"),
    active: database.number(
      "SELECT count(*) AS value FROM delegations WHERE state <> 'closed' AND +depth > 0",
    ),
    running: database.number(
      "SELECT count(*) AS value FROM delegations WHERE state = 'running' AND +depth > 0",
    ),
    outcomes: countOutcomes(database),
    refused: database.number("SELECT count(*) AS value FROM refusals"),
    durationMs: readDurations(database, finished),
    workspaceMs: database.number(
      "SELECT avg(workspace_ms) AS value FROM delegations WHERE workspace_ms IS NOT NULL",
    ),
    microUsd: Number(sums?.get("micro") ?? 0),
    finished,
    inputTokens: Number(sums?.get("input") ?? 0),
    outputTokens: Number(sums?.get("output") ?? 0),
    efficiency: readEfficiency(database),
  };
}

function countOutcomes(database: Database): StoreTotals["outcomes"] {
  const rows = database.rows(
    "SELECT outcome, count(*) AS count FROM delegations WHERE depth > 0 AND outcome IS NOT NULL GROUP BY outcome",
  );
  return Object.fromEntries(
    rows.flatMap((row) => {
      const outcome = outcomes.find((known) => known === row.get("outcome"));
      return outcome === undefined ? [] : [[outcome, Number(row.get("count"))]];
    }),
  );
}

function readDurations(database: Database, finished: number): StoreTotals["durationMs"] {
  const from = "FROM delegations WHERE duration_ms IS NOT NULL AND +depth > 0";
  const at = (rank: number): number =>
    database.number(`SELECT duration_ms AS value ${from} ORDER BY duration_ms LIMIT 1 OFFSET ?`, [
      Math.max(0, rank),
    ]);
  const lower = at(Math.floor((finished - 1) / 2));
  const upper = at(Math.floor(finished / 2));
  return {
    average: database.number(`SELECT avg(duration_ms) AS value ${from}`),
    median: finished === 0 ? 0 : (lower + upper) / 2,
    p95: at(Math.ceil(finished * 0.95) - 1),
  };
}

/** Work done relative to capacity: per story, the time span of its workers times the slots it could use. */
function readEfficiency(database: Database): StoreTotals["efficiency"] {
  const row = database.row(
    `SELECT total(work) AS work, total(span * min(slots, workers)) AS wall FROM (
       SELECT sum(d.duration_ms) AS work, max(d.closed_ms) - min(d.started_ms) AS span,
         count(*) AS workers, s.max_concurrent AS slots
       FROM delegations d JOIN stories s ON s.id = d.story
       WHERE d.depth > 0 AND d.duration_ms IS NOT NULL GROUP BY d.story)`,
  );
  return { workMs: Number(row?.get("work") ?? 0), wallMs: Number(row?.get("wall") ?? 0) };
}
