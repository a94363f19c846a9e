import { toKnownSum, toKnownUsd, toUsdNumber } from "../base/money.ts";
import type { CostReport, CostRow, CostSum } from "./cost.ts";

/** The usage in its wire format. */
export interface CostSumDocument {
  readonly tokens_in: number;
  readonly tokens_out: number;
  readonly cost_usd: number | null;
  readonly estimated: boolean;
  readonly unpriced_tokens: number;
  readonly reconciliation: Reconciliation | null;
}

export interface Reconciliation {
  readonly [key: string]: unknown;
  readonly reported_usd: number;
  readonly list_price_usd: number;
  readonly difference_usd: number;
}

export interface CostRowDocument extends CostSumDocument {
  readonly [key: string]: unknown;
  readonly id: string;
  readonly parent: string | null;
  readonly depth: number;
  readonly description: string;
  readonly agent: string | null;
  readonly status: CostRow["status"];
  readonly total_cost_usd: number | null;
}

export interface CostDepth {
  readonly [key: string]: unknown;
  readonly depth: number;
  readonly tasks: number;
  readonly cost_usd: number | null;
}

export interface CostDocument {
  readonly [key: string]: unknown;
  readonly story: string;
  readonly title: string;
  readonly direct_cost_usd: number | null;
  readonly direct: CostRowDocument | null;
  readonly delegations: CostRowDocument[];
  readonly delegated_cost_usd: number | null;
  readonly total_cost_usd: number | null;
  readonly total_tokens_in: number;
  readonly total_tokens_out: number;
  readonly estimated: boolean;
  readonly unpriced_tokens: number;
  readonly reconciliation: Reconciliation | null;
  readonly depth_distribution: CostDepth[];
  readonly overhead_usd: number | null;
  readonly overhead_percent: number | null;
  readonly time_saved_percent: number | null;
  readonly cost_alert_usd: number;
  readonly cost_alert: boolean;
}

/** The wire form of a cost report: dollars as numbers, shares as numbers from 0 to 1. */
export function buildCostDocument(report: CostReport): CostDocument {
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

function buildRowDocument(row: CostRow): CostRowDocument {
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

function buildSumDocument(sum: CostSum): CostSumDocument {
  return {
    tokens_in: sum.tokensIn,
    tokens_out: sum.tokensOut,
    cost_usd: toKnownUsd(sum.microUsd),
    estimated: sum.isEstimated,
    ...buildComparison(sum),
  };
}

/** The tokens no sum of money includes, and how far the reported cost is from the list price. */
function buildComparison({
  unpricedTokens,
  compared,
}: CostSum): Pick<CostSumDocument, "reconciliation" | "unpriced_tokens"> {
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
