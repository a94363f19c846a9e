import type { StoreTotals } from "../journal/store.ts";

/**
 * R105. Only delegations are counted, not stories. `maxAllowedDepth` is the limit in today's configuration, not that of
 * past stories.
 */
export function buildStats(totals: StoreTotals, maxAllowedDepth: number) {
  return {
    total_delegations: totals.delegations,
    max_depth_seen: totals.maxDepthSeen,
    active_delegations: totals.active,
    max_allowed_depth: maxAllowedDepth,
  };
}
