/** A live machine: the pools it serves and how many attempts it could begin now. */
export interface OpenMachine {
  readonly name: string;
  readonly incarnation: string;
  readonly pools: readonly string[];
  readonly free: number;
}

/** An attempt that waits for a machine. */
export interface WaitingAttempt {
  readonly pool: string;
  readonly priority: number;
  /** When it began to wait. */
  readonly sinceMs: number;
  /** The start of a machine that has the session of its agent, as `name/incarnation`. */
  readonly home: string | undefined;
  /** The queue and the time of its last offer. */
  readonly offered: { readonly queue: string; readonly atMs: number } | undefined;
  /** Returns its provider while that provider's account is full. */
  readonly findFull: () => string | undefined;
}

export interface OfferRules {
  readonly nowMs: number;
  /** An offer that no machine has taken for this time is made again. */
  readonly repeatMs: number;
  /** How long an attempt waits for the machine that has its session. */
  readonly homeMs: number;
}

export interface ChosenOffer<Waiting> {
  readonly waiting: Waiting;
  readonly queue: string;
}

/** The queue of one machine. The names of pools contain no dot. */
export function nameMachineQueue(name: string): string {
  return `node.${name}`;
}

/**
 * Chooses the attempts that are offered now, and their queues: no more than live machines have free slots, the most
 * urgent first, then the oldest. An attempt goes first to the machine that has the session of its agent, for a while or
 * until that machine is gone; then to its pool. Earlier offers keep their slots.
 */
export function chooseOffers<Waiting extends WaitingAttempt>(
  waiting: readonly Waiting[],
  machines: readonly OpenMachine[],
  rules: OfferRules,
): readonly ChosenOffer<Waiting>[] {
  const takeSlot = openSlots(machines);
  for (const { offered } of waiting) if (offered !== undefined) takeSlot(offered.queue);
  return waiting
    .filter(({ findFull }) => findFull() === undefined)
    .toSorted((one, other) => other.priority - one.priority || one.sinceMs - other.sinceMs)
    .flatMap((one) => {
      const queue = findQueue(one, machines, rules);
      const { offered } = one;
      const isDue = offered?.queue === queue ? rules.nowMs - offered.atMs > rules.repeatMs : takeSlot(queue);
      return isDue ? [{ waiting: one, queue }] : [];
    });
}

/** Machines of few pools are counted first, so that the others stay free for work that only they can do. */
function openSlots(machines: readonly OpenMachine[]): (queue: string) => boolean {
  const open = machines
    .toSorted((one, other) => one.pools.length - other.pools.length)
    .map(({ name, pools, free }) => ({ queues: [...pools, nameMachineQueue(name)], free }));
  return (queue) => {
    const machine = open.find(({ queues, free }) => free > 0 && queues.includes(queue));
    if (machine === undefined) return false;
    machine.free -= 1;
    return true;
  };
}

function findQueue(
  { home, pool, sinceMs }: WaitingAttempt,
  machines: readonly OpenMachine[],
  { nowMs, homeMs }: OfferRules,
): string {
  if (home === undefined || nowMs - sinceMs > homeMs) return pool;
  const found = machines.find(({ name, incarnation }) => home === `${name}/${incarnation}`);
  return found === undefined ? pool : nameMachineQueue(found.name);
}
