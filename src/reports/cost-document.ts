import { usdNumber } from "../ledger/money.ts";
import type { CostReport, CostRow, CostSum } from "./cost.ts";

/** The wire form of a cost report: dollars as numbers, shares as numbers from 0 to 1. */
export function costDocument(report: CostReport): Readonly<Record<string, unknown>> {
  const [direct, ...delegations] = report.rows;
  return {
    story: report.story,
    title: report.title,
    direct_cost_usd: usdNumber(report.direct.microUsd),
    direct: direct === undefined ? null : buildRowDocument(direct),
    delegations: delegations.map(buildRowDocument),
    delegated_cost_usd: usdNumber(report.delegated.microUsd),
    total_cost_usd: usdNumber(report.total.microUsd),
    total_tokens_in: report.total.tokensIn,
    total_tokens_out: report.total.tokensOut,
    estimated: report.total.isEstimated,
    ...buildComparison(report.total),
    depth_distribution: report.depths.map(({ depth, tasks, microUsd }) => ({
      depth,
      tasks,
      cost_usd: usdNumber(microUsd),
    })),
    overhead_usd: usdNumber(report.delegated.microUsd),
    overhead_percent: percent(report.overhead),
    time_saved_percent: percent(report.timeSaved),
    cost_alert_usd: usdNumber(report.alert.thresholdMicroUsd),
    cost_alert: report.alert.isExceeded,
  };
}

function buildRowDocument(row: CostRow): Readonly<Record<string, unknown>> {
  return {
    id: row.id,
    parent: row.parent,
    depth: row.depth,
    description: row.title,
    agent: row.agent,
    status: row.status,
    ...buildSumDocument(row),
    total_cost_usd: usdNumber(row.withWorkersMicroUsd),
  };
}

function buildSumDocument(sum: CostSum): Readonly<Record<string, unknown>> {
  return {
    tokens_in: sum.tokensIn,
    tokens_out: sum.tokensOut,
    cost_usd: usdNumber(sum.microUsd),
    estimated: sum.isEstimated,
    ...buildComparison(sum),
  };
}

/** The tokens no sum of money includes, and how far the reported cost is from the list price. */
function buildComparison({ unpricedTokens, compared }: CostSum): Readonly<Record<string, unknown>> {
  return {
    unpriced_tokens: unpricedTokens,
    reconciliation:
      compared === null
        ? null
        : {
            reported_usd: usdNumber(compared.reportedMicroUsd),
            list_price_usd: usdNumber(compared.estimatedMicroUsd),
            difference_usd: usdNumber(compared.reportedMicroUsd - compared.estimatedMicroUsd),
          },
  };
}

/** Whole percent; null stays null. */
export function percent(share: number | null): number | null {
  return share === null ? null : Math.round(share * 100);
}
