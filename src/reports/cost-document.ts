import { toKnownSum, toKnownUsd, toUsdNumber } from "../base/money.ts";
import type { CostReport, CostRow, CostSum } from "./cost.ts";

/** The wire form of a cost report: dollars as numbers, shares as numbers from 0 to 1. */
export function buildCostDocument(report: CostReport) {
  const [direct, ...delegations] = report.rows;
  return {
    story: report.story,
    title: report.title,
    direct_cost_usd: toKnownUsd(report.direct.microUsd),
    direct: direct === undefined ? null : buildRowDocument(direct),
    delegations: delegations.map(buildRowDocument),
    delegated_cost_usd: toKnownSum(report.delegated.microUsd, delegations.length),
    total_cost_usd: toKnownUsd(report.total.microUsd),
    total_tokens_in: report.total.tokensIn,
    total_tokens_out: report.total.tokensOut,
    estimated: report.total.isEstimated,
    ...buildComparison(report.total),
    depth_distribution: report.depths.map(({ depth, tasks, microUsd }) => ({
      depth,
      tasks,
      cost_usd: toKnownUsd(microUsd),
    })),
    overhead_usd: toKnownSum(report.delegated.microUsd, delegations.length),
    overhead_percent: toWholePercent(report.overhead),
    time_saved_percent: toWholePercent(report.timeSaved),
    cost_alert_usd: toUsdNumber(report.alert.thresholdMicroUsd),
    cost_alert: report.alert.isExceeded,
  };
}

function buildRowDocument(row: CostRow) {
  return {
    id: row.id,
    parent: row.parent,
    depth: row.depth,
    description: row.title,
    agent: row.agent,
    status: row.status,
    ...buildSumDocument(row),
    total_cost_usd: toKnownUsd(row.withWorkersMicroUsd),
  };
}

function buildSumDocument(sum: CostSum) {
  return {
    tokens_in: sum.tokensIn,
    tokens_out: sum.tokensOut,
    cost_usd: toKnownUsd(sum.microUsd),
    estimated: sum.isEstimated,
    ...buildComparison(sum),
  };
}

/** The tokens no sum of money includes, and how far the reported cost is from the list price. */
function buildComparison({ unpricedTokens, compared }: CostSum) {
  return {
    unpriced_tokens: unpricedTokens,
    reconciliation:
      compared === null
        ? null
        : {
            reported_usd: toUsdNumber(compared.reportedMicroUsd),
            list_price_usd: toUsdNumber(compared.estimatedMicroUsd),
            difference_usd: toUsdNumber(compared.reportedMicroUsd - compared.estimatedMicroUsd),
          },
  };
}

/** Whole percent, as people say it; null stays null. */
function toWholePercent(share: number | null): number | null {
  return share === null ? null : Math.round(share * 100);
}
