import type { DelegationStatus } from "../journal/delegation-status.ts";
import { delegationStatus } from "../journal/delegation-status.ts";
import type { Delegation, Story } from "../journal/store.ts";
import { computeTimeSaved } from "./figures/time-saved.ts";
import { sumWithWorkers } from "./figures/sum-with-workers.ts";

/** Sums are whole micro-dollars, added up before anything is rounded. */
export interface CostSum {
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly microUsd: number;
  /** True if any part was estimated or simulated instead of reported by the agent. */
  readonly isEstimated: boolean;
  /** Tokens of models without a known price; no sum of money includes them. */
  readonly unpricedTokens: number;
  /** The cost agents reported and the list price of the same use; null unless both are known. */
  readonly compared: Delegation["compared"];
}

export interface CostRow extends CostSum {
  readonly id: string;
  readonly parent: string | null;
  readonly depth: number;
  readonly title: string;
  readonly agent: string | null;
  readonly status: DelegationStatus;
  /** Its own cost and that of all workers below it. */
  readonly withWorkersMicroUsd: number;
}

export interface CostReport {
  readonly story: string;
  readonly title: string;
  /** The story's own use, then every delegation in order of admission, each without its workers. */
  readonly rows: readonly CostRow[];
  /** The story's own use. */
  readonly direct: CostSum;
  /** Everything below the story. */
  readonly delegated: CostSum;
  readonly total: CostSum;
  readonly depths: readonly { readonly depth: number; readonly tasks: number; readonly microUsd: number }[];
  /** Delegated share of the total, 0–1; null if nothing was spent. */
  readonly overhead: number | null;
  readonly timeSaved: number | null;
  readonly alert: { readonly thresholdMicroUsd: number; readonly isExceeded: boolean };
}

/** The cost of a story with everything that was delegated for it (R102–R104). */
export function buildCost(story: Story, delegations: readonly Delegation[]): CostReport {
  const rows = buildCostRows(delegations);
  const direct = sumCostParts(rows.filter(({ depth }) => depth === 0));
  const delegated = sumCostParts(rows.filter(({ depth }) => depth > 0));
  const total = sumCostParts([direct, delegated]);
  return {
    story: story.id,
    title: story.title,
    rows,
    direct,
    delegated,
    total,
    depths: groupByDepth(rows),
    overhead: total.microUsd === 0 ? null : delegated.microUsd / total.microUsd,
    timeSaved: computeTimeSaved(delegations),
    alert: {
      thresholdMicroUsd: story.limits.alertMicroUsd,
      isExceeded: total.microUsd > story.limits.alertMicroUsd,
    },
  };
}

function buildCostRows(delegations: readonly Delegation[]): CostRow[] {
  const withWorkers = sumWithWorkers(delegations);
  return delegations.map((delegation) => ({
    id: delegation.id,
    parent: delegation.parent,
    depth: delegation.depth,
    title: delegation.description,
    agent: delegation.agent,
    status: delegationStatus(delegation),
    tokensIn: delegation.inputTokens + delegation.cachedTokens,
    tokensOut: delegation.outputTokens,
    microUsd: delegation.microUsd,
    isEstimated: delegation.estimated,
    unpricedTokens: delegation.unpricedTokens,
    compared: delegation.compared,
    withWorkersMicroUsd: withWorkers.get(delegation.id) ?? delegation.microUsd,
  }));
}

function sumCostParts(parts: readonly CostSum[]): CostSum {
  return {
    tokensIn: parts.reduce((sum, part) => sum + part.tokensIn, 0),
    tokensOut: parts.reduce((sum, part) => sum + part.tokensOut, 0),
    microUsd: parts.reduce((sum, part) => sum + part.microUsd, 0),
    isEstimated: parts.some((part) => part.isEstimated),
    unpricedTokens: parts.reduce((sum, part) => sum + part.unpricedTokens, 0),
    compared: parts.map((part) => part.compared).reduce(addComparedCosts, null),
  };
}

function addComparedCosts(one: CostSum["compared"], other: CostSum["compared"]): CostSum["compared"] {
  if (one === null || other === null) return one ?? other;
  return {
    reportedMicroUsd: one.reportedMicroUsd + other.reportedMicroUsd,
    estimatedMicroUsd: one.estimatedMicroUsd + other.estimatedMicroUsd,
  };
}

function groupByDepth(rows: readonly CostRow[]): CostReport["depths"] {
  const depths = [...new Set(rows.map(({ depth }) => depth))].toSorted((one, other) => one - other);
  return depths.map((depth) => {
    const level = rows.filter((row) => row.depth === depth);
    return { depth, tasks: level.length, microUsd: sumCostParts(level).microUsd };
  });
}
