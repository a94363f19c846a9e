import type { Outcome } from "../../contract/outcome.ts";

export interface StoreTotals {
  readonly delegations: number;
  readonly maxDepthSeen: number;
  readonly active: number;
  readonly running: number;
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
  readonly refused: number;
  readonly durationMs: { readonly average: number; readonly median: number; readonly p95: number };
  readonly workspaceMs: number;
  readonly microUsd: number;
  readonly finished: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly efficiency: { readonly workMs: number; readonly wallMs: number };
}

/** Own use of all delegations that ended as completed; stories are not counted. */
export interface CompletedSums {
  readonly count: number;
  readonly microUsd: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** The usage of a whole story, and the number of its workers. */
export interface StoryUse {
  readonly workers: number;
  readonly ended: number;
  /** Delegations that have not ended, the story's own included. */
  readonly open: number;
  readonly tokens: number;
  readonly microUsd: number;
  /** Some of it was estimated instead of reported. */
  readonly isEstimated: boolean;
  /** Some of it comes from the built-in scripted worker, whatever that worker reports. */
  readonly isSimulated: boolean;
  readonly unpricedTokens: number;
}

/** How the work of one agent has ended; stories are not counted. */
export interface WorkerTotals {
  /** Null for workers that are driven like their manager. */
  readonly agent: string | null;
  readonly delegations: number;
  readonly open: number;
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
  readonly finished: number;
  /** The durations of delegations that have ended. */
  readonly durationMs: { readonly average: number; readonly longest: number };
  readonly attempts: number;
  readonly microUsd: number;
}
