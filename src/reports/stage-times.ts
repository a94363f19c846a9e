import { overheadOf, spansByStage, stages, type Stage } from "./stage-times/measure.ts";
import { median, p95 } from "./percentile.ts";
import type { SeenEvent } from "./story-view.ts";

/** Milliseconds of many delegations in one stage; null where none was measured. */
export interface StageTime {
  readonly stage: Stage | "overhead" | "worktree";
  readonly count: number;
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
  /** What it should take at most, where there is a budget. */
  readonly budget_ms: number | null;
  /** Share of those measured that kept to it, 0–1. */
  readonly within_budget: number | null;
}

/** R21: what delegating itself may add to the work, and making a worktree alone. */
export const overheadBudgetMs = 200;
export const worktreeBudgetMs = 150;

/**
 * Where the time of delegations goes, from their events. `overhead` is what one delegation adds to the work itself:
 * everything between its start and its end but waiting for a slot, the agent's process, and the checks that prove it.
 */
export function buildStageTimes(events: readonly SeenEvent[]): readonly StageTime[] {
  const measured = spansByStage(events);
  const worktrees = [...measured.values()].flatMap(({ worktreeMs }) => worktreeMs);
  const overheads = [...measured.values()].flatMap(({ spans, isClosed }) =>
    isClosed && spans.some(({ stage }) => stage === "work") ? [overheadOf(spans)] : [],
  );
  return [
    ...stages.map((stage) => {
      const times = [...measured.values()].flatMap(({ spans }) =>
        spans.filter((span) => span.stage === stage).map(({ durationMs }) => durationMs),
      );
      return summarize(stage, times, null);
    }),
    summarize("overhead", overheads, overheadBudgetMs),
    summarize("worktree", worktrees, worktreeBudgetMs),
  ];
}

function summarize(stage: StageTime["stage"], times: readonly number[], budgetMs: number | null): StageTime {
  const within = budgetMs === null ? [] : times.filter((timeMs) => timeMs <= budgetMs);
  return {
    stage,
    count: times.length,
    p50_ms: rounded(median(times)),
    p95_ms: rounded(p95(times)),
    budget_ms: budgetMs,
    within_budget:
      budgetMs === null || times.length === 0 ? null : Number((within.length / times.length).toFixed(3)),
  };
}

function rounded(value: number | null): number | null {
  return value === null ? null : Number(value.toFixed(1));
}
