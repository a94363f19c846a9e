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

/** How the work of one agent has ended; stories are not counted. */
export interface WorkerTotals {
  /** Null for workers that were driven as their manager was. */
  readonly agent: string | null;
  readonly delegations: number;
  readonly open: number;
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
  readonly finished: number;
  /** Of delegations that have ended. */
  readonly durationMs: { readonly average: number; readonly longest: number };
  readonly attempts: number;
  readonly microUsd: number;
}
