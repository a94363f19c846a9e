import type { Job, Queue, SlotLimits } from "./job.ts";
import { findOverlap } from "./scope-overlap.ts";

/** The running jobs, including those just chosen, and the order of the groups. */
export interface Floor {
  readonly running: readonly Job[];
  readonly byGroup: ReadonlyMap<string, readonly Job[]>;
  readonly turns: ReadonlyMap<string, number>;
  readonly passedOver: ReadonlyMap<string, number>;
}

export function openFloor(queue: Queue, running: readonly Job[]): Floor {
  const byGroup = new Map<string, Job[]>();
  for (const job of running) {
    const others = byGroup.get(job.group);
    if (others === undefined) byGroup.set(job.group, [job]);
    else others.push(job);
  }
  return { running, byGroup, turns: queue.turns, passedOver: queue.passedOver };
}

function listGroup({ byGroup }: Floor, group: string): readonly Job[] {
  return byGroup.get(group) ?? [];
}

/** The floor after a job has started and others, ahead of it, were passed over. */
export function occupyFloor(floor: Floor, job: Job, ahead: readonly Job[]): Floor {
  const passedOver = new Map(floor.passedOver);
  for (const { id } of ahead) passedOver.set(id, (passedOver.get(id) ?? 0) + 1);
  return {
    running: [...floor.running, job],
    byGroup: new Map([...floor.byGroup, [job.group, [...listGroup(floor, job.group), job]]]),
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

export function countGroupSlots(floor: Floor, limits: SlotLimits, group: string): SlotUse {
  const limit = limits.groups.get(group) ?? limits.maxConcurrent;
  return { used: countTaken(listGroup(floor, group), limits), limit };
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

/** Says of any job whether this floor has a slot for it. Each count is made once, because thousands may ask. */
export function findFreeSlots(floor: Floor, limits: SlotLimits): (job: Job) => boolean {
  const isFree = hasFreeSlot(countSlots(floor, limits));
  const ofGroup = rememberAnswers((group: string) => hasFreeSlot(countGroupSlots(floor, limits, group)));
  const ofPool = rememberAnswers((pool: Job["pool"]) => hasFreeSlot(countPoolSlots(floor, limits, pool)));
  return (job) => !takesSlot(job, limits) || (isFree && ofGroup(job.group) && ofPool(job.pool));
}

function rememberAnswers<Name, Answer>(ask: (name: Name) => Answer): (name: Name) => Answer {
  const answers = new Map<Name, Answer>();
  return (name) => {
    const known = answers.get(name);
    if (known !== undefined) return known;
    const answer = ask(name);
    answers.set(name, answer);
    return answer;
  };
}

export function hasFreeSlot({ used, limit }: SlotUse): boolean {
  return used < limit;
}

export interface Overlap {
  readonly job: Job;
  readonly pattern: string;
}

/** The running worker of the same group that changes the same files; a job without a slot only delegates. */
export function findOverlapOnFloor(job: Job, floor: Floor): Overlap | undefined {
  for (const other of listGroup(floor, job.group)) {
    if (!other.holdsSlot) continue;
    const pattern = findOverlap(job.scope, other.scope);
    if (pattern !== undefined) return { job: other, pattern };
  }
  return undefined;
}

function countUsedInGroup(floor: Floor, group: string): number {
  return listGroup(floor, group).filter(({ holdsSlot }) => holdsSlot).length;
}

/** Priority first; then the group with the fewest slots, then the one served longest ago; then age. */
export function compareByTurn(floor: Floor): (one: Job, other: Job) => number {
  const slotsCounted = rememberAnswers((group: string) => countUsedInGroup(floor, group));
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
