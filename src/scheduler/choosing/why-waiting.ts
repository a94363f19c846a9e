import { chooseNext } from "./choose-next.ts";
import { findBlocked, openDependencies } from "./dependencies.ts";
import {
  countGroupSlots,
  countPoolSlots,
  hasFreeSlot,
  openFloor,
  findOverlapOnFloor,
  countSlots,
  occupyFloor,
  type Floor,
} from "./floor.ts";
import type { Blocked, Job, Queue, SlotLimits } from "./job.ts";

export interface Situation {
  readonly queue: Queue;
  readonly running: readonly Job[];
  readonly limits: SlotLimits;
}

/** Why a job does not run, in a few words for a person; undefined when it starts now. */
export function explainWait(job: Job, situation: Situation): string | undefined {
  const { queue, running } = situation;
  const blocked = findBlocked(queue, running).find(({ id }) => id === job.id);
  if (blocked !== undefined) return describeBlocked(blocked);
  const present = new Set([...queue.jobs, ...running].map(({ id }) => id));
  const open = openDependencies(job, queue, present);
  if (open.length > 0) return `waits for ${listIds(open)}`;
  const held = explainProviderWait(job, queue);
  if (held !== undefined) return held;
  const restMs = (job.notBeforeMs ?? queue.nowMs) - queue.nowMs;
  return restMs > 0 ? `retries in ${describeRest(restMs)}` : explainNoSlot(job, situation);
}

function describeBlocked({ id, kind, on }: Blocked): string {
  if (kind === "unknown-dependency") return `waits for ${listIds(on)}, which does not exist`;
  if (kind === "blocked-by") return `blocked by ${listIds(on)}, which did not succeed`;
  return `waits for itself: ${[...on, id].join(" → ")}`;
}

const MAX_NAMED = 3;

function listIds(ids: readonly string[]): string {
  const hidden = ids.length - MAX_NAMED;
  const named = ids.slice(0, MAX_NAMED).join(", ");
  return hidden > 0 ? `${named} and ${hidden} more` : named;
}

function explainProviderWait({ provider = "" }: Job, { nowMs, full }: Queue): string | undefined {
  const gate = full?.get(provider);
  if (gate === undefined || gate.untilMs <= nowMs) return undefined;
  return `waits for provider ${provider} until ${formatTimeOfDay(gate.untilWallMs)}`;
}

/** In UTC, so that it means the same everywhere. */
function formatTimeOfDay(wallMs: number): string {
  return `${new Date(wallMs).toISOString().slice("2026-11-15T".length, "2026-11-15T12:00:00".length)} UTC`;
}

function describeRest(restMs: number): string {
  const seconds = Math.ceil(restMs / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}

/** Looks at the floor as it will be once everything that may start now has started. */
function explainNoSlot(job: Job, { queue, running, limits }: Situation): string | undefined {
  const { start, passedOver } = chooseNext(queue, running, limits);
  if (start.includes(job.id)) return undefined;
  const floor = queue.jobs
    .filter(({ id }) => start.includes(id))
    .reduce<Floor>((taken, next) => occupyFloor(taken, next, []), openFloor(queue, running));
  const hasLetOthersGo = queue.passedOver.has(job.id) || passedOver.includes(job.id);
  const overlap = hasLetOthersGo ? findOverlapOnFloor(job, floor) : undefined;
  if (overlap !== undefined) return `waits for ${overlap.job.id}: both change ${overlap.pattern}`;
  const all = countSlots(floor, limits);
  if (!hasFreeSlot(all)) return `waits for a slot: ${all.used} of ${all.limit} in use`;
  const ofPool = countPoolSlots(floor, limits, job.pool);
  if (!hasFreeSlot(ofPool))
    return `waits for a slot: ${ofPool.used} of ${ofPool.limit} of the pool ${job.pool ?? ""} in use`;
  const own = countGroupSlots(floor, limits, job.group);
  return `waits for a slot: ${own.used} of ${own.limit} of ${job.group} in use`;
}
