import { measureStages, stages, sumOverhead, type Stage } from "./events/stage-spans.ts";
import { divideRounded, computeMedian, computeP95, roundToPlaces } from "./figures/figures.ts";
import type { SeenEvent } from "./events/seen-event.ts";

/** Milliseconds that delegations spent in one stage; null if none was measured. */
export interface StageTime {
  readonly stage: Stage | "overhead" | "worktree";
  readonly count: number;
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
  /** The time the stage may take, if it has a budget. */
  readonly budget_ms: number | null;
  /** Share of the measured ones within the budget, 0–1. */
  readonly within_budget: number | null;
}

/** R21: the time delegating may add to the work, and the part of it for making a worktree. */
export const MAX_OVERHEAD_MS = 200;
export const MAX_WORKTREE_MS = 150;

/**
 * Shows where delegations spend their time, from their events. `overhead` is what one delegation adds to the work
 * itself: everything from start to end except waiting for a slot, the agent's process and the checks that prove it.
 */
export function buildStageTimes(events: readonly SeenEvent[]): readonly StageTime[] {
  const measured = measureStages(events);
  const worktrees = [...measured.values()].flatMap(({ worktreeMs }) => worktreeMs);
  const overheads = [...measured.values()].flatMap(({ spans, isClosed }) =>
    isClosed && spans.some(({ stage }) => stage === "work") ? [sumOverhead(spans)] : [],
  );
  return [
    ...stages.map((stage) => {
      const times = [...measured.values()].flatMap(({ spans }) =>
        spans.filter((span) => span.stage === stage).map(({ durationMs }) => durationMs),
      );
      return summarizeTimes(stage, times, null);
    }),
    summarizeTimes("overhead", overheads, MAX_OVERHEAD_MS),
    summarizeTimes("worktree", worktrees, MAX_WORKTREE_MS),
  ];
}

function summarizeTimes(
  stage: StageTime["stage"],
  times: readonly number[],
  budgetMs: number | null,
): StageTime {
  const within = budgetMs === null ? [] : times.filter((timeMs) => timeMs <= budgetMs);
  return {
    stage,
    count: times.length,
    p50_ms: roundOrNull(computeMedian(times)),
    p95_ms: roundOrNull(computeP95(times)),
    budget_ms: budgetMs,
    within_budget: budgetMs === null ? null : divideRounded(within.length, times.length, 3),
  };
}

function roundOrNull(value: number | null): number | null {
  return value === null ? null : roundToPlaces(value, 1);
}
