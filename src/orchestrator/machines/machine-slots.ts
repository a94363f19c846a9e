import type { KnownMachine } from "../../journal/machines.ts";
import type { MachineSlots } from "../ports/remote-attempts.ts";
import type { OpenMachine } from "./choose-offers.ts";

export function describeOpen({ name, incarnation, pools, slots, used }: KnownMachine): OpenMachine {
  return { name, incarnation, pools, free: Math.max(0, slots - used) };
}

/** The slots of live machines, in all and by pool; a machine of several pools counts for each. */
export function countSlots(live: readonly KnownMachine[]): MachineSlots {
  const counted = new Map<string, number>();
  for (const { pools, slots } of live)
    for (const pool of pools) counted.set(pool, (counted.get(pool) ?? 0) + slots);
  return { total: live.reduce((sum, { slots }) => sum + slots, 0), pools: counted };
}
