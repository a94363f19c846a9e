import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chooseNext, MAX_PASSED_OVER } from "../../src/scheduler/choosing/choose-next.ts";
import type { Job, Queue, SlotLimits } from "../../src/scheduler/choosing/job.ts";
import { makeJob, makeQueue, pooled, slots } from "./make-job.ts";

function started(jobs: readonly Job[], running: readonly Job[] = [], limits = slots(3)): readonly string[] {
  return chooseNext(makeQueue(jobs), running, limits).start;
}

describe("choosing jobs by slots", () => {
  it("starts as many jobs as there are free slots (R80)", () => {
    const jobs = ["J1", "J2", "J3", "J4"].map((id) => makeJob(id));
    expect(started(jobs)).toStrictEqual(["J1", "J2", "J3"]);
    expect(started(jobs, [makeJob("J8"), makeJob("J9")])).toStrictEqual(["J1"]);
    expect(started(jobs, [], slots(0))).toStrictEqual([]);
  });

  it("keeps a group within its own limit and gives the other slots to other groups", () => {
    const jobs = [makeJob("J1"), makeJob("J2"), makeJob("K3", { group: "US-2" })];
    expect(started(jobs, [makeJob("J0")], slots(3, { "US-1": 2 }))).toStrictEqual(["K3", "J1"]);
  });

  it("starts jobs that need no slot even if all slots are in use", () => {
    const jobs = [makeJob("J1"), makeJob("M2", { holdsSlot: false })];
    expect(started(jobs, [makeJob("J0")], slots(1))).toStrictEqual(["M2"]);
  });

  it("does not count jobs that hold no slot", () => {
    expect(started([makeJob("J1")], [makeJob("M0", { holdsSlot: false })], slots(1))).toStrictEqual(["J1"]);
  });
});

describe("choosing jobs by slots of several pools (R189)", () => {
  const gpu = (id: string) => makeJob(id, { pool: "gpu", priority: 1 });
  const plain = (id: string) => makeJob(id, { pool: "default" });

  it("starts no more jobs of a pool than it has slots, and fills the slots of the other pools", () => {
    const jobs = [gpu("J1"), gpu("J2"), plain("J3"), plain("J4"), plain("J5")];
    expect(started(jobs, [], pooled(3, { gpu: 1, default: 2 }))).toStrictEqual(["J1", "J3", "J4"]);
    expect(started(jobs, [gpu("J0")], pooled(3, { gpu: 1, default: 2 }))).toStrictEqual(["J3", "J4"]);
    // Two machines, one of which serves both pools.
    expect(started(jobs, [], pooled(2, { gpu: 1, default: 2 }))).toStrictEqual(["J1", "J3"]);
  });

  it("starts jobs of a pool without slots, and counts no slot for them", () => {
    const jobs = [gpu("J1"), gpu("J2"), plain("J3"), plain("J4")];
    expect(started(jobs, [], pooled(1, { default: 1 }))).toStrictEqual(["J1", "J2", "J3"]);
    const running = [gpu("J7"), gpu("J8"), gpu("J9")];
    expect(started([plain("J3")], running, pooled(1, { default: 1 }))).toStrictEqual(["J3"]);
    // One of them has a slot now, two still wait.
    expect(started([plain("J3"), gpu("J4")], running, pooled(2, { default: 1, gpu: 1 }))).toStrictEqual([
      "J3",
    ]);
    const ofStory = { ...pooled(3, { default: 3 }), groups: new Map([["US-1", 1]]) };
    expect(started([plain("J3"), plain("J4")], running, ofStory)).toStrictEqual(["J3"]);
  });

  it("applies no pool limit to jobs without a pool, or if there are no pools", () => {
    expect(started([makeJob("J1"), makeJob("J2")], [], pooled(1, {}))).toStrictEqual(["J1"]);
    expect(started([gpu("J1"), gpu("J2")], [], slots(1))).toStrictEqual(["J1"]);
  });
});

describe("choosing jobs in order", () => {
  it("takes the job of higher priority first, then the older one (R187)", () => {
    const jobs = [
      makeJob("J3"),
      makeJob("J2", { priority: 1 }),
      makeJob("J1"),
      makeJob("J9", { priority: 5 }),
    ];
    expect(started(jobs, [], slots(9))).toStrictEqual(["J9", "J2", "J1", "J3"]);
  });

  it("lets two stories take turns however many jobs one of them has", () => {
    const many = [1, 2, 3, 4].map((number) => makeJob(`A${number}`, { group: "A" }));
    const few = [makeJob("B8", { group: "B" }), makeJob("B9", { group: "B" })];
    expect(started([...many, ...few], [], slots(4))).toStrictEqual(["A1", "B8", "A2", "B9"]);
  });

  it("remembers whose turn it is with a single slot", () => {
    const jobs = [makeJob("A1", { group: "A" }), makeJob("B2", { group: "B" })];
    const turns = new Map([
      ["A", 7],
      ["B", 6],
    ]);
    expect(chooseNext(makeQueue(jobs, { turns }), [], slots(1)).start).toStrictEqual(["B2"]);
  });

  it("puts priority above turns", () => {
    const jobs = [makeJob("A1", { group: "A", priority: 1 }), makeJob("B2", { group: "B" })];
    expect(started(jobs, [makeJob("A0", { group: "A" })], slots(2))).toStrictEqual(["A1"]);
  });
});

describe("choosing jobs with file scopes", () => {
  const running = [makeJob("J0", { scope: ["src/api/**"] })];
  const overlapping = makeJob("J1", { scope: ["src/**"], priority: 9 });

  it("passes over a job whose files a running job changes, if another job can start", () => {
    const choice = chooseNext(makeQueue([overlapping, makeJob("J2")]), running, slots(2));
    expect(choice).toMatchObject({ start: ["J2"], passedOver: ["J1"] });
  });

  it("starts such a job rather than leave a slot empty", () => {
    expect(started([overlapping], running, slots(2))).toStrictEqual(["J1"]);
    expect(started([overlapping, makeJob("J2")], running, slots(3))).toStrictEqual(["J2", "J1"]);
  });

  it("starts such a job in its turn once it has been passed over often enough", () => {
    const queue = makeQueue([overlapping, makeJob("J2")], {
      passedOver: new Map([["J1", MAX_PASSED_OVER]]),
    });
    expect(chooseNext(queue, running, slots(2)).start).toStrictEqual(["J1"]);
  });

  it("also compares a job with jobs chosen in the same round", () => {
    const jobs = [makeJob("J1", { scope: ["a"] }), makeJob("J2", { scope: ["a"] }), makeJob("J3")];
    expect(started(jobs, [], slots(2))).toStrictEqual(["J1", "J3"]);
  });

  it("ignores the scopes of other stories and of managers, and jobs without a scope", () => {
    const others = [
      makeJob("K0", { scope: ["src/**"], group: "US-2" }),
      makeJob("M0", { scope: ["src/**"], holdsSlot: false }),
      makeJob("J0"),
    ];
    expect(started([overlapping, makeJob("J2")], others, slots(3))).toStrictEqual(["J1"]);
  });
});

describe("choosing jobs that retry", () => {
  it("holds a retry back until its time and says when to ask again", () => {
    const jobs = [makeJob("J1", { notBeforeMs: 400 }), makeJob("J2", { notBeforeMs: 90 })];
    expect(chooseNext(makeQueue(jobs, { nowMs: 100 }), [], slots(3))).toMatchObject({
      start: ["J2"],
      wakeAtMs: 400,
    });
    expect(chooseNext(makeQueue(jobs, { nowMs: 400 }), [], slots(3)).wakeAtMs).toBeUndefined();
  });
});

describe("choosing jobs with dependencies", () => {
  it("starts a job when all its dependencies have succeeded", () => {
    const job = makeJob("J3", { dependsOn: ["J1", "J2"] });
    const known = new Map([["J1", "succeeded"]] as const);
    const open = chooseNext(makeQueue([job], { known }), [makeJob("J2")], slots(3));
    expect(open).toMatchObject({ start: [], blocked: [] });
    const both = new Map([...known, ["J2", "succeeded"] as const]);
    expect(chooseNext(makeQueue([job], { known: both }), [], slots(3)).start).toStrictEqual(["J3"]);
  });

  it("keeps a job waiting for a dependency that is parked, or that runs again after it had ended", () => {
    const job = makeJob("J3", { dependsOn: ["J1"] });
    const parked = makeQueue([job], { known: new Map([["J1", "parked"]]) });
    expect(chooseNext(parked, [], slots(3))).toMatchObject({ start: [], blocked: [] });
    for (const state of ["succeeded", "unsuccessful"] as const) {
      const again = makeQueue([job], { known: new Map([["J1", state]]) });
      expect(chooseNext(again, [makeJob("J1")], slots(3))).toMatchObject({ start: [], blocked: [] });
    }
  });

  it("reports jobs that wait for a failed or unknown job", () => {
    const jobs = [makeJob("J2", { dependsOn: ["J1"] }), makeJob("J3", { dependsOn: ["J1", "X"] })];
    const queue = makeQueue(jobs, { known: new Map([["J1", "unsuccessful"]]) });
    expect(chooseNext(queue, [], slots(3))).toMatchObject({
      start: [],
      blocked: [
        { id: "J2", kind: "blocked-by", on: ["J1"] },
        { id: "J3", kind: "unknown-dependency", on: ["X"] },
      ],
    });
  });

  it("reports cycles with their members, and dependants of a cycle only as waiting", () => {
    const jobs = [
      makeJob("J1", { dependsOn: ["J2"] }),
      makeJob("J2", { dependsOn: ["J3"] }),
      makeJob("J3", { dependsOn: ["J1"] }),
      makeJob("J4", { dependsOn: ["J1"] }),
      makeJob("J5", { dependsOn: ["J5"] }),
      makeJob("J6"),
    ];
    expect(chooseNext(makeQueue(jobs), [], slots(3))).toMatchObject({
      start: ["J6"],
      blocked: [
        { id: "J1", kind: "circular-dependency", on: ["J1", "J2", "J3"] },
        { id: "J2", kind: "circular-dependency", on: ["J2", "J3", "J1"] },
        { id: "J3", kind: "circular-dependency", on: ["J3", "J1", "J2"] },
        { id: "J5", kind: "circular-dependency", on: ["J5"] },
      ],
    });
  });
});

const scopes = [[], ["src/**"], ["src/api/**"], ["docs"], ["**/*.md", "!docs/**"]];
const anyJob = fc.record({
  group: fc.constantFrom("A", "B", "C"),
  priority: fc.integer({ min: -1, max: 1 }),
  enqueuedAt: fc.integer({ min: 0, max: 5 }),
  scope: fc.constantFrom(...scopes),
  dependsOn: fc.array(fc.constantFrom("J0", "J1", "J2", "J3", "R0", "E0", "E1", "X"), { maxLength: 2 }),
  notBeforeMs: fc.constantFrom(0, 50, 150),
  holdsSlot: fc.boolean(),
});
const anySituation = fc
  .record({
    waiting: fc.array(anyJob, { maxLength: 8 }),
    running: fc.array(anyJob, { maxLength: 4 }),
    maxConcurrent: fc.integer({ min: 0, max: 5 }),
    groups: fc.dictionary(fc.constantFrom("A", "B", "C"), fc.integer({ min: 0, max: 3 })),
    passed: fc.integer({ min: 0, max: MAX_PASSED_OVER }),
    turns: fc.dictionary(fc.constantFrom("A", "B", "C"), fc.integer({ min: 0, max: 9 })),
  })
  .map(({ waiting, running, maxConcurrent, groups, passed, turns }) => ({
    queue: makeQueue(
      waiting.map((parts, index) => makeJob(`J${index}`, parts)),
      {
        nowMs: 100,
        known: new Map([
          ["E0", "succeeded"],
          ["E1", "unsuccessful"],
        ] as const),
        passedOver: new Map([["J0", passed]]),
        turns: new Map(Object.entries(turns)),
      },
    ),
    running: running.map((parts, index) => makeJob(`R${index}`, { ...parts, dependsOn: [] })),
    limits: slots(maxConcurrent, groups),
  }));

function slotsUsed(jobs: readonly Job[], group?: string): number {
  return jobs.filter((job) => job.holdsSlot && (group === undefined || job.group === group)).length;
}

function jobsOf(queue: Queue, ids: readonly string[]): readonly Job[] {
  return ids.flatMap((id) => queue.jobs.filter((job) => job.id === id));
}

function afterStart(queue: Queue, ids: readonly string[]): Queue {
  return { ...queue, jobs: queue.jobs.filter(({ id }) => !ids.includes(id)) };
}

function mostIn(limits: SlotLimits, group: string): number {
  return limits.groups.get(group) ?? limits.maxConcurrent;
}

describe("chooseNext, in any situation", () => {
  it("never exceeds a limit, and starts only waiting jobs, once, in time and with their dependencies done", () => {
    fc.assert(
      fc.property(anySituation, ({ queue, running, limits }) => {
        const { start } = chooseNext(queue, running, limits);
        const jobs = jobsOf(queue, start);
        expect(new Set(start).size).toBe(start.length);
        expect(jobs).toHaveLength(start.length);
        if (slotsUsed(jobs) > 0)
          expect(slotsUsed([...running, ...jobs])).toBeLessThanOrEqual(limits.maxConcurrent);
        for (const group of ["A", "B", "C"]) {
          if (slotsUsed(jobs, group) === 0) continue;
          expect(slotsUsed([...running, ...jobs], group)).toBeLessThanOrEqual(mostIn(limits, group));
        }
        for (const job of jobs) {
          expect(job.notBeforeMs).toBeLessThanOrEqual(100);
          expect(job.dependsOn.filter((id) => id !== "E0")).toStrictEqual([]);
        }
      }),
    );
  });

  it("starts every job that can start: asked again at once it starts nothing more", () => {
    fc.assert(
      fc.property(anySituation, ({ queue, running, limits }) => {
        const { start } = chooseNext(queue, running, limits);
        const again = chooseNext(afterStart(queue, start), [...running, ...jobsOf(queue, start)], limits);
        expect(again.start).toStrictEqual([]);
      }),
    );
  });

  it("starts nothing of lower priority than a ready job that had a slot and was not passed over", () => {
    fc.assert(
      fc.property(anySituation, ({ queue, running, limits }) => {
        const choice = chooseNext(queue, running, limits);
        const jobs = jobsOf(queue, choice.start).filter(({ holdsSlot }) => holdsSlot);
        const lowest = Math.min(...jobs.map(({ priority }) => priority));
        const unserved = queue.jobs.filter(
          (job) =>
            !choice.start.includes(job.id) &&
            !choice.passedOver.includes(job.id) &&
            job.dependsOn.every((id) => id === "E0") &&
            (job.notBeforeMs ?? 0) <= 100 &&
            slotsUsed([...running, ...jobs], job.group) < mostIn(limits, job.group),
        );
        for (const job of unserved) expect(job.priority).toBeLessThanOrEqual(lowest);
      }),
    );
  });

  it("gives the same answer in whatever order the jobs are listed", () => {
    const shuffled = anySituation.chain((situation) =>
      fc.record({
        situation: fc.constant(situation),
        order: fc.shuffledSubarray([...situation.queue.jobs], { minLength: situation.queue.jobs.length }),
      }),
    );
    fc.assert(
      fc.property(shuffled, ({ situation: { queue, running, limits }, order }) => {
        const choice = chooseNext(queue, running, limits);
        const other = chooseNext({ ...queue, jobs: order }, [...running].reverse(), limits);
        expect(other.start).toStrictEqual(choice.start);
        expect(other.passedOver).toStrictEqual(choice.passedOver);
        expect(other.wakeAtMs).toBe(choice.wakeAtMs);
        const ids = (list: typeof choice.blocked): readonly string[] => list.map(({ id }) => id).toSorted();
        expect(ids(other.blocked)).toStrictEqual(ids(choice.blocked));
      }),
    );
  });

  it("reports every job that would otherwise wait forever", () => {
    fc.assert(
      fc.property(anySituation, ({ queue, limits }) => {
        let left = queue;
        const known = new Map(queue.known);
        for (let round = 0; round < 20 && left.jobs.length > 0; round += 1) {
          const { start, blocked } = chooseNext({ ...left, nowMs: 1000 }, [], { ...limits, ...slots(9) });
          for (const id of start) known.set(id, "succeeded");
          for (const { id } of blocked) known.set(id, "unsuccessful");
          const gone = [...start, ...blocked.map(({ id }) => id)];
          left = { ...afterStart(left, gone), known };
        }
        expect(left.jobs).toStrictEqual([]);
      }),
    );
  });
});
