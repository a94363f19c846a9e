import type { Blocked, Job, Queue } from "./job.ts";

/** Jobs that would wait for ever: for a failed job, for an unknown one, or for each other. */
export function findBlocked(queue: Queue, running: readonly Job[]): readonly Blocked[] {
  const present = new Set([...queue.jobs, ...running].map(({ id }) => id));
  const onEnded = queue.jobs.flatMap((job) => brokenDependency(job, queue, present));
  const settled = new Set(onEnded.map(({ id }) => id));
  return [...onEnded, ...findCircles(queue.jobs.filter(({ id }) => !settled.has(id)))];
}

function brokenDependency(job: Job, { known }: Queue, present: ReadonlySet<string>): readonly Blocked[] {
  const unknown = job.dependsOn.filter((id) => !known.has(id) && !present.has(id));
  if (unknown.length > 0) return [{ id: job.id, kind: "unknown-dependency", on: unknown }];
  const failed = job.dependsOn.filter((id) => known.get(id) === "unsuccessful" && !present.has(id));
  return failed.length === 0 ? [] : [{ id: job.id, kind: "blocked-by", on: failed }];
}

/** The dependencies it still waits for. A job that is parked, waits or runs has not succeeded yet. */
export function openDependencies(job: Job, queue: Queue, present: ReadonlySet<string>): readonly string[] {
  return job.dependsOn.filter((id) => present.has(id) || queue.known.get(id) !== "succeeded");
}

/** Repeatedly removes jobs without a remaining dependency; only cycles and the jobs behind them stay. */
function findCircles(jobs: readonly Job[]): readonly Blocked[] {
  const left = new Map(jobs.map((job) => [job.id, job]));
  for (let before = -1; before !== left.size;) {
    before = left.size;
    for (const job of left.values()) {
      if (!job.dependsOn.some((id) => left.has(id))) left.delete(job.id);
    }
  }
  const next = (job: Job): Job | undefined =>
    job.dependsOn.map((id) => left.get(id)).find((dependency) => dependency !== undefined);
  return [...left.values()].flatMap((job) => circleThrough(job, next));
}

/** Follows the first open dependency of each; a job that leads back to itself is in a cycle. */
function circleThrough(job: Job, next: (job: Job) => Job | undefined): readonly Blocked[] {
  const seen = new Set<string>();
  for (let at: Job | undefined = job; at !== undefined && !seen.has(at.id); at = next(at)) {
    seen.add(at.id);
    if (next(at)?.id === job.id) return [{ id: job.id, kind: "circular-dependency", on: [...seen] }];
  }
  return [];
}
