import type { CompletedSums, StoreTotals } from "../journal/store.ts";
import { toKnownSum, toUsdNumber } from "../base/money.ts";
import { divideRounded, roundToPlaces } from "./figures/figures.ts";

/** R106. A figure that was not measured is null. The counts from `completed` to `waiting` add up to the total. */
export interface Performance {
  readonly total_delegations: number;
  readonly completed: number;
  readonly failed: number;
  readonly running: number;
  readonly partial: number;
  readonly blocked: number;
  readonly cancelled: number;
  readonly timed_out: number;
  /** Queued, parked, or returned by the worker and not yet settled. */
  readonly waiting: number;
  /** All that ended except cancelled ones, which say nothing about the worker. */
  readonly finished: number;
  /** `completed / finished`: a partial, blocked or timed-out delegation does not count as a success. */
  readonly success_rate: number | null;
  /** Durations cover everything that started and ended, whatever the outcome. */
  readonly avg_duration_ms: number | null;
  readonly median_duration_ms: number | null;
  readonly p95_duration_ms: number | null;
  /** Averages of cost and tokens cover completed delegations; the total covers all. */
  readonly avg_cost_usd: number | null;
  readonly total_cost_usd: number | null;
  readonly avg_tokens_in: number | null;
  readonly avg_tokens_out: number | null;
  readonly worktree_overhead_ms: number | null;
  readonly cycle_detection_overhead_ms: number | null;
  /** Sum of the overheads that were measured. */
  readonly total_overhead_ms: number | null;
  /** Time worked divided by the time available: per story, the span of its workers times its slots. */
  readonly parallel_efficiency: number | null;
}

export interface PerformanceFacts {
  readonly totals: StoreTotals;
  readonly completed: CompletedSums;
  /** Time of one cycle check; null if it was not measured. */
  readonly cycleCheckMs: number | null;
}

export function buildPerformance({ totals, completed, cycleCheckMs }: PerformanceFacts): Performance {
  const { durationMs, efficiency } = totals;
  const hasDurations = totals.finished > 0;
  const worktreeMs = totals.workspaceMs > 0 ? roundToPlaces(totals.workspaceMs, OVERHEAD_PLACES) : null;
  const cycleMs = cycleCheckMs === null ? null : roundToPlaces(cycleCheckMs, 6);
  return {
    ...countDelegations(totals),
    avg_duration_ms: hasDurations ? Math.round(durationMs.average) : null,
    median_duration_ms: hasDurations ? Math.round(durationMs.median) : null,
    p95_duration_ms: hasDurations ? Math.round(durationMs.p95) : null,
    avg_cost_usd: divideKnown(completed),
    total_cost_usd: toKnownSum(totals.microUsd, totals.delegations),
    avg_tokens_in: divideRounded(completed.inputTokens, completed.count, 0),
    avg_tokens_out: divideRounded(completed.outputTokens, completed.count, 0),
    worktree_overhead_ms: worktreeMs,
    cycle_detection_overhead_ms: cycleMs,
    total_overhead_ms: sumMeasured([worktreeMs, cycleMs]),
    parallel_efficiency: divideRounded(efficiency.workMs, efficiency.wallMs, 3),
  };
}

/** Null where no cost was reported. */
function divideKnown({ microUsd, count }: CompletedSums): number | null {
  return microUsd === 0 ? null : divideRounded(toUsdNumber(microUsd), count, 6);
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
    success_rate: divideRounded(completed, finished, 3),
  };
}

const OVERHEAD_PLACES = 3;

function sumMeasured(values: readonly (number | null)[]): number | null {
  const measured = values.filter((value) => value !== null);
  return measured.length === 0
    ? null
    : roundToPlaces(
        measured.reduce((sum, value) => sum + value, 0),
        OVERHEAD_PLACES,
      );
}
