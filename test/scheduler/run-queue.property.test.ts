import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_PASSED_OVER } from "../../src/scheduler/choosing/choose-next.ts";
import type { Job } from "../../src/scheduler/choosing/job.ts";
import { RunQueue, type RunEnd } from "../../src/scheduler/run-queue.ts";
import { FakeTime, settleAll } from "./fake-time.ts";
import { makeJob, slots } from "./make-job.ts";

const GROUPS = ["A", "B", "C"] as const;

/** Runs that end when told to; every start is checked against the limits of that instant. */
class Simulation {
  readonly time = new FakeTime();
  readonly open = new Map<string, { readonly job: Job; readonly end: (end: RunEnd) => void }>();
  readonly starts: string[] = [];
  limits = slots(3, { A: 2 });
  readonly queue = new RunQueue({ limits: this.limits, clock: this.time, setTimer: this.time.setTimer });

  add(job: Job): void {
    this.queue.addJob(job, (signal) => this.#run(job, signal));
  }

  setLimits(maxConcurrent: number, mostOfA: number): void {
    this.limits = slots(maxConcurrent, { A: mostOfA });
    this.queue.setLimits(this.limits);
  }

  endOne(choice: number, end: RunEnd): void {
    const all = [...this.open.values()];
    all[choice % Math.max(1, all.length)]?.end(end);
  }

  endOther(id: string, choice: number): void {
    const all = [...this.open.values()].filter(({ job }) => job.id !== id);
    all[choice % Math.max(1, all.length)]?.end({ kind: "succeeded" });
  }

  #run(job: Job, signal: AbortSignal): Promise<RunEnd> {
    expect(this.open.has(job.id)).toBe(false);
    this.starts.push(job.id);
    return new Promise((resolve) => {
      const end = (how: RunEnd): void => {
        this.open.delete(job.id);
        resolve(how);
      };
      this.open.set(job.id, { job, end });
      signal.addEventListener("abort", () => end({ kind: "unsuccessful" }));
      this.#checkLimits(job);
    });
  }

  #checkLimits(started: Job): void {
    if (!started.holdsSlot) return;
    const holders = Array.from(this.open.values(), ({ job }) => job).filter(({ holdsSlot }) => holdsSlot);
    expect(holders.length).toBeLessThanOrEqual(this.limits.maxConcurrent);
    const most = this.limits.groups.get(started.group) ?? this.limits.maxConcurrent;
    expect(holders.filter(({ group }) => group === started.group).length).toBeLessThanOrEqual(most);
  }
}

const anyStep = fc.oneof(
  { weight: 4, arbitrary: fc.record({ step: fc.constant("add" as const), job: anyParts() }) },
  {
    weight: 4,
    arbitrary: fc.record({ step: fc.constant("end" as const), choice: fc.nat(9), how: anyEnd() }),
  },
  { weight: 1, arbitrary: fc.record({ step: fc.constant("cancel" as const), number: fc.nat(30) }) },
  {
    weight: 1,
    arbitrary: fc.record({ step: fc.constant("limits" as const), all: fc.nat(4), ofA: fc.nat(3) }),
  },
  { weight: 1, arbitrary: fc.record({ step: fc.constant("wait" as const), ms: fc.nat(300) }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant("pause" as const) }) },
);

function anyParts() {
  return fc.record({
    group: fc.constantFrom(...GROUPS),
    priority: fc.integer({ min: -1, max: 1 }),
    scope: fc.constantFrom([], ["src/**"], ["src/api"], ["docs"]),
    dependsOn: fc.array(
      fc.nat(30).map((number) => `J${number}`),
      { maxLength: 2 },
    ),
    holdsSlot: fc.boolean(),
  });
}

function anyEnd(): fc.Arbitrary<RunEnd> {
  return fc.constantFrom<RunEnd>(
    { kind: "succeeded" },
    { kind: "unsuccessful" },
    { kind: "again", notBeforeMs: 1100 },
    { kind: "parked" },
  );
}

async function take(simulation: Simulation, step: typeof anyStep extends fc.Arbitrary<infer S> ? S : never) {
  if (step.step === "add") {
    const number = simulation.starts.length + simulation.queue.listWaiting().length;
    const id = `J${number % 30}`;
    const isThere = [...simulation.queue.listWaiting(), ...simulation.queue.listRunning()].includes(id);
    if (!isThere) simulation.add(makeJob(id, step.job));
  }
  if (step.step === "end") simulation.endOne(step.choice, step.how);
  if (step.step === "cancel") simulation.queue.cancelJob(`J${step.number}`);
  if (step.step === "limits") simulation.setLimits(step.all, step.ofA);
  if (step.step === "wait") simulation.time.advance(step.ms);
  if (step.step === "pause") await settleAll();
}

describe("RunQueue, under any sequence of events", () => {
  it("exceeds no limit at any instant, runs no id twice at a time, and becomes idle in the end", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 60 }), async (steps) => {
        const simulation = new Simulation();
        const { queue, time, open } = simulation;
        queue.onBlocked(({ id }) => queue.cancelJob(id));
        let isIdle = true;
        queue.onIdle(() => (isIdle = true));
        for (const step of steps) {
          await take(simulation, step);
          await settleAll();
          if (queue.listRunning().length > 0) isIdle = false;
          expect(queue.listRunning().toSorted()).toStrictEqual([...open.keys()].toSorted());
        }
        simulation.setLimits(3, 2);
        for (let round = 0; round < 200 && queue.listWaiting().length + open.size > 0; round += 1) {
          await settleAll();
          for (const { end } of open.values()) end({ kind: "succeeded" });
          time.advance(1000);
          if (open.size === 0) cancelWaitingForParked(queue);
        }
        await settleAll();
        expect([queue.listWaiting(), queue.listRunning(), time.timers()]).toStrictEqual([[], [], 0]);
        expect(isIdle || simulation.starts.length === 0).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it("starts every job within a bounded number of starts, however many come after it", async () => {
    const anyCrowd = fc.record({
      groups: fc.integer({ min: 1, max: 3 }),
      more: fc.integer({ min: 0, max: 2 }),
      isOverlapping: fc.boolean(),
      ends: fc.array(fc.nat(9), { minLength: 1, maxLength: 20 }),
    });
    await fc.assert(
      fc.asyncProperty(anyCrowd, async ({ groups, more, isOverlapping, ends }) => {
        const simulation = new Simulation();
        // A story that holds one slot already may have to wait for another while there are not more than stories.
        const most = groups + more + (isOverlapping ? 1 : 0);
        simulation.setLimits(most, most);
        if (isOverlapping) simulation.add(makeJob("L0", { group: "A", scope: ["src/**"] }));
        let number = 1;
        const feed = (): void => {
          for (let count = 0; count < groups * 2; count += 1) {
            simulation.add(makeJob(`F${number}`, { group: GROUPS[number % groups] ?? "A" }));
            number += 1;
          }
        };
        feed();
        await settleAll();
        const startsBefore = simulation.starts.length;
        simulation.add(makeJob("V0", { group: "A", enqueuedAt: number, scope: ["src/api"] }));
        const olderOfItsOwn = number;
        // A story with a slot in hand gives way to those with none, so its turn may come only every second time.
        const turns = isOverlapping ? 2 * groups : groups;
        const bound = (MAX_PASSED_OVER + 1 + olderOfItsOwn) * turns + most;
        for (let round = 0; !simulation.starts.includes("V0") && round < 4 * bound; round += 1) {
          feed();
          // The oldest run always ends in the end, except the one that is in the way; in between, any.
          simulation.endOther("L0", round % 2 === 0 ? 0 : (ends[round % ends.length] ?? 0));
          await settleAll();
        }
        expect(simulation.starts).toContain("V0");
        expect(simulation.starts.indexOf("V0") - startsBefore).toBeLessThanOrEqual(bound);
      }),
      { numRuns: 60 },
    );
  });
});

/** Whatever waits for a parked job waits for somebody to add that again. */
function cancelWaitingForParked(queue: RunQueue): void {
  for (const id of queue.listWaiting()) {
    if (queue.whyWaiting(id)?.startsWith("waits for J") === true) queue.cancelJob(id);
  }
}
