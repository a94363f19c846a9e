import type { Setting } from "./setting.ts";

const DELEGATIONS = "delegation.maxDelegationsPerStory";
const OWN_WORKERS = "delegation.fanOut.depth0";

/**
 * More delegations for a story mean more workers of its own, unless a setting limits those: otherwise a default would
 * refuse its eleventh worker.
 */
export function followDelegations(winners: ReadonlyMap<string, Setting>): ReadonlyMap<string, Setting> {
  const delegations = winners.get(DELEGATIONS);
  const own = winners.get(OWN_WORKERS);
  if (own?.origin.layer !== "default" || typeof own.value !== "number") return winners;
  if (typeof delegations?.value !== "number" || delegations.value <= own.value) return winners;
  return new Map([...winners, [OWN_WORKERS, { ...delegations, key: OWN_WORKERS }]]);
}
