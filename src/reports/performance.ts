import type { CompletedSums, StoreTotals } from "../journal/store.ts";
import { usdNumber } from "../ledger/money.ts";

/** R106. What was not measured is null. The counts from `completed` to `waiting` add up to the total. */
export interface Performance {
  readonly total_delegations: number;
  readonly completed: number;
  readonly failed: number;
  readonly running: number;
  readonly partial: number;
  readonly blocked: number;
  readonly cancelled: number;
  readonly timed_out: number;
  /** Queued, parked, or ended by the worker and not yet settled. */
  readonly waiting: number;
  /** Everything that ended, without what somebody cancelled: that says nothing about the worker. */
  readonly finished: number;
  /** `completed / finished`: a partial, blocked or timed out delegation is no success. */
  readonly success_rate: number | null;
  /** Durations are of everything that started and ended, whatever the outcome. */
  readonly avg_duration_ms: number | null;
  readonly median_duration_ms: number | null;
  readonly p95_duration_ms: number | null;
  /** Averages of cost and tokens are over completed delegations; the total is over all. */
  readonly avg_cost_usd: number | null;
  readonly total_cost_usd: number;
  readonly avg_tokens_in: number | null;
  readonly avg_tokens_out: number | null;
  readonly worktree_overhead_ms: number | null;
  readonly cycle_detection_overhead_ms: number | null;
  /** Sum of the overheads that were measured. */
  readonly total_overhead_ms: number | null;
  /** Time worked against the room there was: per story, the span of its workers times its slots. */
  readonly parallel_efficiency: number | null;
}

export interface PerformanceFacts {
  readonly totals: StoreTotals;
  readonly completed: CompletedSums;
  /** Time of one cycle check, when somebody measured it. */
  readonly cycleCheckMs: number | null;
}

export function buildPerformance({ totals, completed, cycleCheckMs }: PerformanceFacts): Performance {
  const { durationMs, efficiency } = totals;
  const hasDurations = totals.finished > 0;
  const worktreeMs = totals.workspaceMs > 0 ? rounded(totals.workspaceMs) : null;
  const cycleMs = cycleCheckMs === null ? null : rounded(cycleCheckMs, 6);
  return {
    ...countDelegations(totals),
    avg_duration_ms: hasDurations ? Math.round(durationMs.average) : null,
    median_duration_ms: hasDurations ? Math.round(durationMs.median) : null,
    p95_duration_ms: hasDurations ? Math.round(durationMs.p95) : null,
    avg_cost_usd: average(usdNumber(completed.microUsd), completed.count, 6),
    total_cost_usd: usdNumber(totals.microUsd),
    avg_tokens_in: average(completed.inputTokens, completed.count, 0),
    avg_tokens_out: average(completed.outputTokens, completed.count, 0),
    worktree_overhead_ms: worktreeMs,
    cycle_detection_overhead_ms: cycleMs,
    total_overhead_ms: sumOf([worktreeMs, cycleMs]),
    parallel_efficiency: average(efficiency.workMs, efficiency.wallMs, 3),
  };
}

function countDelegations(totals: StoreTotals) {
  const { completed = 0, partial = 0, failed = 0, blocked = 0, cancelled = 0 } = totals.outcomes;
  const timedOut = totals.outcomes.timed_out ?? 0;
  const finished = completed + partial + failed + blocked + timedOut;
  return {
    total_delegations: totals.delegations,
    completed,
    failed,
    running: totals.running,
    partial,
    blocked,
    cancelled,
    timed_out: timedOut,
    waiting: totals.active - totals.running,
    finished,
    success_rate: average(completed, finished, 3),
  };
}

/** Null instead of a division by nothing. */
function average(sum: number, count: number, places: number): number | null {
  return count === 0 ? null : rounded(sum / count, places);
}

function sumOf(values: readonly (number | null)[]): number | null {
  const measured = values.filter((value) => value !== null);
  return measured.length === 0 ? null : rounded(measured.reduce((sum, value) => sum + value, 0));
}

const OVERHEAD_PLACES = 3;

function rounded(value: number, places: number = OVERHEAD_PLACES): number {
  return Number(value.toFixed(places));
}
