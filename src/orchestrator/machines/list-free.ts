import type { Machines } from "../../journal/machines.ts";
import type { FreeMachine } from "../ports/run-tools.ts";

/** The live machines that take work, each with the attempts it could begin now. */
export async function listFreeMachines(machines: Pick<Machines, "list">): Promise<readonly FreeMachine[]> {
  const known = await machines.list();
  return known
    .filter(({ isAlive, draining }) => isAlive && !draining)
    .map(({ name, pools, slots, used }) => ({ name, pools, slots, free: Math.max(0, slots - used) }));
}
