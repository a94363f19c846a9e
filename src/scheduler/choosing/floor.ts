import type { Job, Queue, SlotLimits } from "./job.ts";
import { findOverlap } from "./scope-overlap.ts";

/** The running jobs, including those just chosen, and the order of the groups. */
export interface Floor {
  readonly running: readonly Job[];
  readonly turns: ReadonlyMap<string, number>;
  readonly passedOver: ReadonlyMap<string, number>;
}

export function openFloor(queue: Queue, running: readonly Job[]): Floor {
  return { running, turns: queue.turns, passedOver: queue.passedOver };
}

/** The floor after a job has started and others, ahead of it, were passed over. */
export function occupyFloor(floor: Floor, job: Job, ahead: readonly Job[]): Floor {
  const passedOver = new Map(floor.passedOver);
  for (const { id } of ahead) passedOver.set(id, (passedOver.get(id) ?? 0) + 1);
  return {
    running: [...floor.running, job],
    turns: job.holdsSlot ? recordTurn(floor.turns, job.group) : floor.turns,
    passedOver,
  };
}

/** Served now, so last in line when groups take turns. */
export function recordTurn(turns: ReadonlyMap<string, number>, group: string): ReadonlyMap<string, number> {
  return new Map([...turns, [group, Math.max(0, ...turns.values()) + 1]]);
}

export interface SlotUse {
  readonly used: number;
  readonly limit: number;
}

export function countSlots({ running }: Floor, limits: SlotLimits): SlotUse {
  return { used: countTaken(running, limits), limit: limits.maxConcurrent };
}

export function countGroupSlots({ running }: Floor, limits: SlotLimits, group: string): SlotUse {
  const ofGroup = running.filter((job) => job.group === group);
  const limit = limits.groups.get(group) ?? limits.maxConcurrent;
  return { used: countTaken(ofGroup, limits), limit };
}

export function countPoolSlots({ running }: Floor, { pools }: SlotLimits, pool: string | undefined): SlotUse {
  const used = running.filter((job) => job.holdsSlot && job.pool === pool).length;
  return { used, limit: pool === undefined ? Number.POSITIVE_INFINITY : readPoolLimit(pools, pool) };
}

function readPoolLimit(pools: SlotLimits["pools"], pool: string): number {
  return pools === undefined ? Number.POSITIVE_INFINITY : (pools.get(pool) ?? 0);
}

/** A job of a pool without slots waits for one elsewhere; it must not keep others from theirs. */
function takesSlot({ holdsSlot, pool }: Job, { pools }: SlotLimits): boolean {
  return holdsSlot && (pool === undefined || readPoolLimit(pools, pool) > 0);
}

/** A job that was started before its pool lost slots waits for a slot as well. */
function countTaken(running: readonly Job[], limits: SlotLimits): number {
  const taking = running.filter((job) => takesSlot(job, limits));
  const above = [...(limits.pools ?? [])].map(([pool, slots]) => {
    const used = taking.filter((job) => job.pool === pool).length;
    return Math.max(0, used - slots);
  });
  return above.reduce((left, count) => left - count, taking.length);
}

export function hasSlotFor(job: Job, floor: Floor, limits: SlotLimits): boolean {
  if (!takesSlot(job, limits)) return true;
  return (
    hasFreeSlot(countSlots(floor, limits)) &&
    hasFreeSlot(countGroupSlots(floor, limits, job.group)) &&
    hasFreeSlot(countPoolSlots(floor, limits, job.pool))
  );
}

export function hasFreeSlot({ used, limit }: SlotUse): boolean {
  return used < limit;
}

export interface Overlap {
  readonly job: Job;
  readonly pattern: string;
}

/** The running worker of the same group that changes the same files; a job without a slot only delegates. */
export function findOverlapOnFloor(job: Job, { running }: Floor): Overlap | undefined {
  for (const other of running) {
    if (!other.holdsSlot || other.group !== job.group) continue;
    const pattern = findOverlap(job.scope, other.scope);
    if (pattern !== undefined) return { job: other, pattern };
  }
  return undefined;
}

function countUsedInGroup({ running }: Floor, group: string): number {
  return running.filter((job) => job.holdsSlot && job.group === group).length;
}

/** Priority first; then the group with the fewest slots, then the one served longest ago; then age. */
export function compareByTurn(floor: Floor): (one: Job, other: Job) => number {
  const slots = new Map<string, number>();
  const slotsCounted = (group: string): number => {
    const counted = slots.get(group) ?? countUsedInGroup(floor, group);
    slots.set(group, counted);
    return counted;
  };
  const turn = (group: string): number => floor.turns.get(group) ?? 0;
  return (one, other) =>
    other.priority - one.priority ||
    slotsCounted(one.group) - slotsCounted(other.group) ||
    turn(one.group) - turn(other.group) ||
    one.enqueuedAt - other.enqueuedAt ||
    compareIds(one.id, other.id);
}

function compareIds(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
