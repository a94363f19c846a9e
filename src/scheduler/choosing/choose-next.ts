import { findBlocked, openDependencies } from "./dependencies.ts";
import {
  compareByTurn,
  findFreeSlots,
  openFloor,
  findOverlapOnFloor,
  occupyFloor,
  type Floor,
} from "./floor.ts";
import type { Blocked, Job, Queue, SlotLimits } from "./job.ts";

export interface Choice {
  /** Ids to start now, in this order. */
  readonly start: readonly string[];
  /** Ids that let another job go first because of their scope: once for each such job. */
  readonly passedOver: readonly string[];
  readonly blocked: readonly Blocked[];
  /** Monotonic time at which to ask again even if nothing happens; undefined when nothing waits for time. */
  readonly wakeAtMs: number | undefined;
}

/** After this many times a job starts although a running job changes the same files. */
export const MAX_PASSED_OVER = 5;

/**
 * Chooses the jobs that start now; pure. Slots never exceed the limits. Among jobs that may start, priority decides, then
 * groups take turns, then age. A job whose scope overlaps with a running one of its group lets all others go first, but
 * no slot stays empty for it and it is not passed over for ever.
 */
export function chooseNext(queue: Queue, running: readonly Job[], limits: SlotLimits): Choice {
  const blocked = findBlocked(queue, running);
  let open = listReadyJobs(queue, running, blocked);
  let floor = openFloor(queue, running);
  const start: string[] = [];
  const passedOver: string[] = [];
  for (
    let pick = pickNextJob(open, floor, limits);
    pick !== undefined;
    pick = pickNextJob(open, floor, limits)
  ) {
    const { job, ahead } = pick;
    start.push(job.id);
    passedOver.push(...ahead.map(({ id }) => id));
    floor = occupyFloor(floor, job, ahead);
    open = open.filter(({ id }) => id !== job.id);
  }
  return { start, passedOver, blocked, wakeAtMs: findNextWake(queue) };
}

/** A job whose id already runs is never ready: no id ever runs twice. */
function listReadyJobs(queue: Queue, running: readonly Job[], blocked: readonly Blocked[]): readonly Job[] {
  const unable = new Set([...blocked, ...running].map(({ id }) => id));
  const present = new Set([...queue.jobs, ...running].map(({ id }) => id));
  return queue.jobs.filter(
    (job) =>
      !unable.has(job.id) &&
      readStartableMs(job, queue) <= queue.nowMs &&
      openDependencies(job, queue, present).length === 0,
  );
}

interface Pick {
  readonly job: Job;
  /** The jobs before it that it overtakes. */
  readonly ahead: readonly Job[];
}

function pickNextJob(open: readonly Job[], floor: Floor, limits: SlotLimits): Pick | undefined {
  const able = open.filter(findFreeSlots(floor, limits));
  const compare = compareByTurn(floor);
  let first: Job | undefined;
  let chosen: Job | undefined;
  // One pass instead of a sort, because this is repeated for each slot.
  for (const job of able) {
    if (first === undefined || compare(job, first) < 0) first = job;
    const isBefore = chosen === undefined || compare(job, chosen) < 0;
    if (isBefore && !letsOthersGo(job, floor)) chosen = job;
  }
  const next = chosen ?? first;
  if (next === undefined) return undefined;
  const ahead = next === first ? [] : able.filter((job) => compare(job, next) < 0).toSorted(compare);
  return { job: next, ahead };
}

function letsOthersGo(job: Job, floor: Floor): boolean {
  if (!job.holdsSlot || (floor.passedOver.get(job.id) ?? 0) >= MAX_PASSED_OVER) return false;
  return findOverlapOnFloor(job, floor) !== undefined;
}

function findNextWake(queue: Queue): number | undefined {
  const later = queue.jobs.map((job) => readStartableMs(job, queue)).filter((at) => at > queue.nowMs);
  return later.length === 0 ? undefined : Math.min(...later);
}

/** The time from which it may start. */
function readStartableMs({ notBeforeMs, provider }: Job, { nowMs, full }: Queue): number {
  const untilMs = provider === undefined ? undefined : full?.get(provider)?.untilMs;
  return Math.max(notBeforeMs ?? nowMs, untilMs ?? nowMs);
}
