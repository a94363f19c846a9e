import { outcomes } from "../../contract/outcome.ts";
import type { StoryUse, WorkerTotals } from "../model/store-totals.ts";
import type { Database, Row } from "./database.ts";
import { readInteger, textOrNull } from "./rows.ts";

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
    .map((outcome): [string, number] => [outcome, readInteger(row, `n_${outcome}`)])
    .filter(([, count]) => count > 0);
  return {
    agent: textOrNull(row, "agent"),
    delegations: readInteger(row, "delegations"),
    open: readInteger(row, "open"),
    outcomes: Object.fromEntries(counted),
    finished: readInteger(row, "finished"),
    durationMs: { average: readInteger(row, "average"), longest: readInteger(row, "longest") },
    attempts: readInteger(row, "attempts"),
    microUsd: readInteger(row, "micro"),
  };
}

/** Summed by SQLite: a list of stories would otherwise read every delegation of each. */
export function readStoryUse(database: Database, story: string): StoryUse {
  const tokens = "input_tokens + cached_tokens + output_tokens";
  const row = database.row(
    `SELECT total(depth > 0) AS workers, total(depth > 0 AND outcome IS NOT NULL) AS ended,
       total(state <> 'closed') AS open, total(${tokens}) AS tokens, total(direct_micro) AS micro,
       total(estimated + attempt_estimated) AS estimated, total(unpriced_tokens + attempt_unpriced) AS unpriced,
       total(${tokens} + direct_micro > 0 AND json_extract(work, '$.adapter') = 'scripted') AS simulated
     FROM delegations WHERE story = ?`,
    [story],
  );
  const sum = (name: string): number => Number(row?.get(name) ?? 0);
  return {
    workers: sum("workers"),
    ended: sum("ended"),
    open: sum("open"),
    tokens: sum("tokens"),
    microUsd: sum("micro"),
    isEstimated: sum("estimated") > 0,
    isSimulated: sum("simulated") > 0,
    unpricedTokens: sum("unpriced"),
  };
}
