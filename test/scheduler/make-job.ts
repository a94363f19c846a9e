import type { Job, Queue, SlotLimits } from "../../src/scheduler/choosing/job.ts";

/** A job with nothing special about it; its age follows from the digits of its id. */
export function makeJob(id: string, parts: Partial<Job> = {}): Job {
  const enqueuedAt = Number(/\d+$/.exec(id)?.[0] ?? 0);
  return { id, group: "US-1", priority: 0, enqueuedAt, scope: [], dependsOn: [], holdsSlot: true, ...parts };
}

export function makeQueue(jobs: readonly Job[], parts: Partial<Queue> = {}): Queue {
  return { jobs, known: new Map(), nowMs: 0, passedOver: new Map(), turns: new Map(), ...parts };
}

export function slots(maxConcurrent: number, groups: Readonly<Record<string, number>> = {}): SlotLimits {
  return { maxConcurrent, groups: new Map(Object.entries(groups)) };
}

/** Slots of machines, by the kind of work they take. */
export function pooled(maxConcurrent: number, pools: Readonly<Record<string, number>>): SlotLimits {
  return { ...slots(maxConcurrent), pools: new Map(Object.entries(pools)) };
}
