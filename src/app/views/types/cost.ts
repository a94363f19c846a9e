import type { CostSource } from "./common.ts";

/** `GET /api/runs/:run/cost`. */
export interface StoryCost {
  readonly seq: number;
  readonly microUsd: number;
  readonly budgetMicroUsd: number | null;
  readonly alertMicroUsd: number;
  readonly isAlert: boolean;
  readonly source: CostSource;
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly unpricedTokens: number;
  /** The cost that agents reported, and the cost of the same usage by the price list. */
  readonly compared: { readonly reportedMicroUsd: number; readonly listMicroUsd: number } | null;
  readonly overhead: number | null;
  readonly timeSaved: number | null;
  readonly depths: readonly { readonly depth: number; readonly tasks: number; readonly microUsd: number }[];
  /** The leaves of task → agent → model, most expensive first. */
  readonly shares: readonly CostShare[];
  readonly byAgent: readonly AgentCost[];
  readonly byModel: readonly ModelCost[];
  /** Money spent so far, over time: at most 400 points, the last one is now's. */
  readonly burn: readonly BurnPoint[];
}

export interface CostShare {
  readonly node: string;
  readonly label: string;
  readonly title: string;
  readonly agent: string;
  readonly model: string;
  readonly microUsd: number;
  readonly tokens: number;
  readonly source: CostSource;
}

export interface AgentCost {
  readonly agent: string;
  readonly delegations: number;
  readonly microUsd: number;
  readonly tokens: number;
  readonly source: CostSource;
}

export interface ModelCost {
  /** Empty where the agent did not say. */
  readonly model: string;
  readonly microUsd: number;
  readonly tokens: number;
  readonly source: CostSource;
}

export interface BurnPoint {
  readonly atMs: number;
  readonly microUsd: number;
}
