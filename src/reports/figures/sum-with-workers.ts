import type { Delegation } from "../../journal/store.ts";

/** By id: the cost in micro-dollars of each delegation with all workers below it, at any depth. */
export function sumWithWorkers(delegations: readonly Delegation[]): ReadonlyMap<string, number> {
  const sums = new Map(delegations.map(({ id, microUsd }) => [id, microUsd]));
  // A worker is admitted after its manager, so in reverse order each sum is complete before it is passed on.
  for (const { id, parent } of delegations.toReversed()) {
    if (parent === null || !sums.has(parent)) continue;
    sums.set(parent, (sums.get(parent) ?? 0) + (sums.get(id) ?? 0));
  }
  return sums;
}
