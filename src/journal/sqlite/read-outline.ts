import type { OutlinedDelegation } from "../model/store.ts";
import type { Database, Row } from "./database.ts";
import {
  integerOrNull,
  isEstimated,
  readInteger,
  readText,
  readTexts,
  stateFromRow,
  textOrNull,
} from "./rows.ts";

const COLUMNS =
  "id, story, depth, description, agent, state, outcome, code, summary, attempt, direct_micro, estimated, " +
  "attempt_estimated, waiting_for, started_at, closed_at, duration_ms, held_by, not_before_ms";

/** The tree of one story, in order of admission, as an overview shows it. */
export function readOutline(database: Database, story: string): readonly OutlinedDelegation[] {
  return database
    .rows(`SELECT ${COLUMNS} FROM delegations WHERE story = ? ORDER BY seq`, [story])
    .map(outlineFromRow);
}

function outlineFromRow(row: Row): OutlinedDelegation {
  return {
    id: readText(row, "id"),
    story: readText(row, "story"),
    depth: readInteger(row, "depth"),
    description: readText(row, "description"),
    agent: textOrNull(row, "agent"),
    ...stateFromRow(row),
    code: textOrNull(row, "code"),
    summary: readText(row, "summary"),
    attempt: readInteger(row, "attempt"),
    microUsd: readInteger(row, "direct_micro"),
    estimated: isEstimated(row),
    waitingFor: readTexts(row, "waiting_for"),
    startedAt: textOrNull(row, "started_at"),
    closedAt: textOrNull(row, "closed_at"),
    durationMs: integerOrNull(row, "duration_ms"),
    turn: { heldBy: textOrNull(row, "held_by"), notBeforeMs: readInteger(row, "not_before_ms") },
  };
}
