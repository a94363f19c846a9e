import type { DelegationStatus } from "../journal/delegation-status.ts";
import { delegationStatus } from "../journal/delegation-status.ts";
import type { Delegation, Story } from "../journal/store.ts";
import { timeSaved } from "./time-saved.ts";

/** Sums are whole micro-dollars, made before anything is rounded. */
export interface CostSum {
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly microUsd: number;
  /** True when any part was estimated or simulated, not reported by the agent. */
  readonly isEstimated: boolean;
  /** Tokens of models without a known price: they are in no sum of money. */
  readonly unpricedTokens: number;
  /** What agents said, and what the price list says of the same use; null where not both are known. */
  readonly compared: Delegation["compared"];
}

export interface CostRow extends CostSum {
  readonly id: string;
  readonly parent: string | null;
  readonly depth: number;
  readonly title: string;
  readonly agent: string | null;
  readonly status: DelegationStatus;
  /** Its own and that of all workers below it. */
  readonly withWorkersMicroUsd: number;
}

export interface CostReport {
  readonly story: string;
  readonly title: string;
  /** The story's own use first, then every delegation, each without its workers; in order of admission. */
  readonly rows: readonly CostRow[];
  /** The story's own use. */
  readonly direct: CostSum;
  /** Everything below the story. */
  readonly delegated: CostSum;
  readonly total: CostSum;
  readonly depths: readonly { readonly depth: number; readonly tasks: number; readonly microUsd: number }[];
  /** Delegated share of the total, 0–1; null when nothing was spent. */
  readonly overhead: number | null;
  readonly timeSaved: number | null;
  readonly alert: { readonly thresholdMicroUsd: number; readonly isExceeded: boolean };
}

/** R102–R104: what a story cost, with all that was done for it. */
export function buildCost(story: Story, delegations: readonly Delegation[]): CostReport {
  const rows = buildRows(delegations);
  const direct = sumUp(rows.filter(({ depth }) => depth === 0));
  const delegated = sumUp(rows.filter(({ depth }) => depth > 0));
  const total = sumUp([direct, delegated]);
  return {
    story: story.id,
    title: story.title,
    rows,
    direct,
    delegated,
    total,
    depths: groupByDepth(rows),
    overhead: total.microUsd === 0 ? null : delegated.microUsd / total.microUsd,
    timeSaved: timeSaved(delegations),
    alert: {
      thresholdMicroUsd: story.limits.alertMicroUsd,
      isExceeded: total.microUsd > story.limits.alertMicroUsd,
    },
  };
}

function buildRows(delegations: readonly Delegation[]): CostRow[] {
  const withWorkers = new Map(delegations.map(({ id, microUsd }) => [id, microUsd]));
  // A worker is admitted after its manager, so going backwards every sum is complete when it is passed on.
  for (const { id, parent } of delegations.toReversed()) {
    if (parent === null || !withWorkers.has(parent)) continue;
    withWorkers.set(parent, (withWorkers.get(parent) ?? 0) + (withWorkers.get(id) ?? 0));
  }
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

function sumUp(parts: readonly CostSum[]): CostSum {
  return {
    tokensIn: parts.reduce((sum, part) => sum + part.tokensIn, 0),
    tokensOut: parts.reduce((sum, part) => sum + part.tokensOut, 0),
    microUsd: parts.reduce((sum, part) => sum + part.microUsd, 0),
    isEstimated: parts.some((part) => part.isEstimated),
    unpricedTokens: parts.reduce((sum, part) => sum + part.unpricedTokens, 0),
    compared: parts.map((part) => part.compared).reduce(addCompared, null),
  };
}

function addCompared(one: CostSum["compared"], other: CostSum["compared"]): CostSum["compared"] {
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
    return { depth, tasks: level.length, microUsd: sumUp(level).microUsd };
  });
}
