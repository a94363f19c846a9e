import { expect, it } from "vitest";
import type { Job, Queue, SlotLimits } from "../../src/scheduler/choosing/job.ts";
import { explainWait } from "../../src/scheduler/choosing/why-waiting.ts";
import { makeJob, makeQueue, pooled, slots } from "./make-job.ts";

interface Case {
  readonly queue?: Partial<Queue>;
  readonly others?: readonly Job[];
  readonly running?: readonly Job[];
  readonly limits?: SlotLimits;
}

function reason(
  job: Job,
  { queue, others = [], running = [], limits = slots(3) }: Case = {},
): string | undefined {
  return explainWait(job, { queue: makeQueue([job, ...others], queue), running, limits });
}

it("says nothing about a job that starts now", () => {
  expect(reason(makeJob("J1"))).toBeUndefined();
});

it("names the dependencies that a job waits for", () => {
  const job = makeJob("J9", { dependsOn: ["US-1-DEL-001"] });
  expect(reason(job, { running: [makeJob("US-1-DEL-001")] })).toBe("waits for US-1-DEL-001");
  const many = makeJob("J9", { dependsOn: ["J1", "J2", "J3", "J4", "J5"] });
  const running = many.dependsOn.map((id) => makeJob(id));
  expect(reason(many, { running })).toBe("waits for J1, J2, J3 and 2 more");
});

it("counts the slots in use, all of them or those of the story", () => {
  const running = ["J6", "J7", "J8"].map((id) => makeJob(id));
  expect(reason(makeJob("J9"), { running })).toBe("waits for a slot: 3 of 3 in use");
  const limits = slots(9, { "US-1": 2 });
  expect(reason(makeJob("J9"), { running: running.slice(1), limits })).toBe(
    "waits for a slot: 2 of 2 of US-1 in use",
  );
});

it("names the pool whose slots are in use (R189)", () => {
  const running = [makeJob("J8", { pool: "gpu" })];
  const limits = pooled(3, { gpu: 1, default: 2 });
  expect(reason(makeJob("J9", { pool: "gpu" }), { running, limits })).toBe(
    "waits for a slot: 1 of 1 of the pool gpu in use",
  );
  expect(reason(makeJob("J9", { pool: "default" }), { running, limits })).toBeUndefined();
});

it("counts the jobs that start first as slots in use", () => {
  const others = [makeJob("J1"), makeJob("J2"), makeJob("J3")];
  expect(reason(makeJob("J9"), { others })).toBe("waits for a slot: 3 of 3 in use");
});

it("names the job and the files that both would change, once it has let another job go first", () => {
  const job = makeJob("J1", { scope: ["src/**"] });
  const running = [makeJob("US-1-DEL-002", { scope: ["src/api/**"] })];
  const limits = slots(2);
  const text = "waits for US-1-DEL-002: both change src/api/**";
  expect(reason(job, { running, others: [makeJob("J2")], limits })).toBe(text);
  expect(reason(job, { running, limits: slots(1) })).toBe("waits for a slot: 1 of 1 in use");
  const queue = { passedOver: new Map([["J1", 1]]) };
  expect(reason(job, { running, queue, limits: slots(1) })).toBe(text);
});

it.each([
  [4000, "retries in 4 s"],
  [3001, "retries in 4 s"],
  [1, "retries in 1 s"],
  [119_000, "retries in 119 s"],
  [121_000, "retries in 3 min"],
])("says when it will try again: in %i ms", (notBeforeMs, text) => {
  expect(reason(makeJob("J1", { notBeforeMs }))).toBe(text);
});

it("explains why a job will never start by waiting", () => {
  const job = makeJob("J2", { dependsOn: ["J1"] });
  expect(reason(job, { queue: { known: new Map([["J1", "unsuccessful"]]) } })).toBe(
    "blocked by J1, which did not succeed",
  );
  expect(reason(job)).toBe("waits for J1, which does not exist");
  expect(reason(job, { others: [makeJob("J1", { dependsOn: ["J2"] })] })).toBe(
    "waits for itself: J2 → J1 → J2",
  );
});
