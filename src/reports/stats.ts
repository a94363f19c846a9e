import type { StoreTotals } from "../journal/store.ts";

/** R105. Stories are not counted, only what was delegated. */
export interface Stats {
  readonly total_delegations: number;
  readonly max_depth_seen: number;
  /** Waiting, running or being settled. */
  readonly active_delegations: number;
  readonly max_allowed_depth: number;
}

/** `maxAllowedDepth` is what the configuration allows a story today, not what past stories were allowed. */
export function buildStats(totals: StoreTotals, maxAllowedDepth: number): Stats {
  return {
    total_delegations: totals.delegations,
    max_depth_seen: totals.maxDepthSeen,
    active_delegations: totals.active,
    max_allowed_depth: maxAllowedDepth,
  };
}
