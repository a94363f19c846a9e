import type { CompletedSums, StoreTotals } from "../journal/store.ts";

/** The totals of a project without a store. */
export const emptyTotals: StoreTotals = {
  delegations: 0,
  maxDepthSeen: 0,
  active: 0,
  running: 0,
  outcomes: {},
  refused: 0,
  durationMs: { average: 0, median: 0, p95: 0 },
  workspaceMs: 0,
  microUsd: 0,
  finished: 0,
  inputTokens: 0,
  outputTokens: 0,
  efficiency: { workMs: 0, wallMs: 0 },
};

export const emptySums: CompletedSums = { count: 0, microUsd: 0, inputTokens: 0, outputTokens: 0 };
