import type { StoreTotals } from "../journal/store.ts";

/** R105. Only delegations are counted, not stories. */
export interface Stats {
  readonly total_delegations: number;
  readonly max_depth_seen: number;
  /** Waiting, running or being settled. */
  readonly active_delegations: number;
  readonly max_allowed_depth: number;
}

/** `maxAllowedDepth` is the limit in today's configuration, not that of past stories. */
export function buildStats(totals: StoreTotals, maxAllowedDepth: number): Stats {
  return {
    total_delegations: totals.delegations,
    max_depth_seen: totals.maxDepthSeen,
    active_delegations: totals.active,
    max_allowed_depth: maxAllowedDepth,
  };
}
