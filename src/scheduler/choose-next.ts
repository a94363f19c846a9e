import { findBlocked, openDependencies } from "./choosing/dependencies.ts";
import { byTurn, hasSlot, openFloor, overlapOnFloor, takeFloor, type Floor } from "./choosing/floor.ts";
import type { Blocked, Job, Queue, SlotLimits } from "./job.ts";

export interface Choice {
  /** Ids to start now, in this order. */
  readonly start: readonly string[];
  /** Ids that let another one go first because of their scope: once for each that did. */
  readonly passedOver: readonly string[];
  readonly blocked: readonly Blocked[];
  /** Monotonic time at which to ask again even if nothing happens; undefined when nothing waits for time. */
  readonly wakeAtMs: number | undefined;
}

/** As often as this a job lets others go first; then it starts although its files are being changed. */
export const MOST_PASSED_OVER = 5;

/**
 * What starts now: the same question always has the same answer. Slots never exceed the limits. Among jobs that may
 * start, priority decides, then groups take turns, then age. A job whose scope meets that of a running one of its group
 * lets all others go first, but no slot stays empty for its sake and it is not passed over for ever.
 */
export function chooseNext(queue: Queue, running: readonly Job[], limits: SlotLimits): Choice {
  const blocked = findBlocked(queue, running);
  let open = readyJobs(queue, running, blocked);
  let floor = openFloor(queue, running);
  const start: string[] = [];
  const passedOver: string[] = [];
  for (let pick = pickNext(open, floor, limits); pick !== undefined; pick = pickNext(open, floor, limits)) {
    const { job, ahead } = pick;
    start.push(job.id);
    passedOver.push(...ahead.map(({ id }) => id));
    floor = takeFloor(floor, job, ahead);
    open = open.filter(({ id }) => id !== job.id);
  }
  return { start, passedOver, blocked, wakeAtMs: nextWake(queue) };
}

/** A job whose id already runs is not ready, whatever else it says: no id ever runs twice. */
function readyJobs(queue: Queue, running: readonly Job[], blocked: readonly Blocked[]): readonly Job[] {
  const unable = new Set([...blocked, ...running].map(({ id }) => id));
  const present = new Set([...queue.jobs, ...running].map(({ id }) => id));
  return queue.jobs.filter(
    (job) =>
      !unable.has(job.id) &&
      startableMs(job, queue) <= queue.nowMs &&
      openDependencies(job, queue, present).length === 0,
  );
}

interface Pick {
  readonly job: Job;
  /** Those it goes ahead of although they stood before it. */
  readonly ahead: readonly Job[];
}

function pickNext(open: readonly Job[], floor: Floor, limits: SlotLimits): Pick | undefined {
  const inOrder = open.filter((job) => hasSlot(job, floor, limits)).sort(byTurn(floor));
  const place = inOrder.findIndex((job) => !letsOthersGo(job, floor));
  const job = inOrder[Math.max(0, place)];
  return job === undefined ? undefined : { job, ahead: inOrder.slice(0, Math.max(0, place)) };
}

function letsOthersGo(job: Job, floor: Floor): boolean {
  if (!job.holdsSlot || (floor.passedOver.get(job.id) ?? 0) >= MOST_PASSED_OVER) return false;
  return overlapOnFloor(job, floor) !== undefined;
}

function nextWake(queue: Queue): number | undefined {
  const later = queue.jobs.map((job) => startableMs(job, queue)).filter((at) => at > queue.nowMs);
  return later.length === 0 ? undefined : Math.min(...later);
}

/** From when on time alone does not keep it from starting. */
function startableMs({ notBeforeMs, provider }: Job, { nowMs, full }: Queue): number {
  const untilMs = provider === undefined ? undefined : full?.get(provider)?.untilMs;
  return Math.max(notBeforeMs ?? nowMs, untilMs ?? nowMs);
}
