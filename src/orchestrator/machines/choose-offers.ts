/** A live machine: the pools it serves and how many attempts it could begin now. */
export interface OpenMachine {
  readonly pools: readonly string[];
  readonly free: number;
}

export interface WaitingAttempt {
  readonly pool: string;
  readonly priority: number;
  /** When it began to wait. */
  readonly sinceMs: number;
  /** Undefined for one that was not offered yet. */
  readonly offeredAtMs: number | undefined;
}

/**
 * The attempts that are offered now: no more than live machines of their pool have free, the most urgent first, then the
 * oldest. What was offered already keeps its slot. Machines of few pools are counted first, so that the others stay free for
 * what only they can do.
 */
export function chooseOffers<Waiting extends WaitingAttempt>(
  waiting: readonly Waiting[],
  machines: readonly OpenMachine[],
): readonly Waiting[] {
  const open = machines
    .toSorted((one, other) => one.pools.length - other.pools.length)
    .map(({ pools, free }) => ({ pools, free }));
  const takeSlot = ({ pool }: Waiting): boolean => {
    const machine = open.find(({ pools, free }) => free > 0 && pools.includes(pool));
    if (machine === undefined) return false;
    machine.free -= 1;
    return true;
  };
  for (const one of waiting) if (one.offeredAtMs !== undefined) takeSlot(one);
  return waiting
    .filter(({ offeredAtMs }) => offeredAtMs === undefined)
    .toSorted((one, other) => other.priority - one.priority || one.sinceMs - other.sinceMs)
    .filter((one) => takeSlot(one));
}
