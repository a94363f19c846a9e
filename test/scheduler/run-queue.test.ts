import { beforeEach, describe, expect, it } from "vitest";
import type { Job } from "../../src/scheduler/choosing/job.ts";
import { RunQueue, type RunEnd, type RunJob } from "../../src/scheduler/run-queue.ts";
import { FakeTime, settleAll } from "./fake-time.ts";
import { makeJob, slots } from "./make-job.ts";

interface Run {
  readonly id: string;
  readonly signal: AbortSignal;
  readonly end: (end?: RunEnd) => void;
  readonly fail: (error: Error) => void;
}

let time: FakeTime;
let queue: RunQueue;
let runs: Run[];

beforeEach(() => {
  time = new FakeTime();
  queue = new RunQueue({ limits: slots(2), clock: time, setTimer: time.setTimer });
  runs = [];
});

function controlled(id: string): RunJob {
  return (signal) =>
    new Promise<RunEnd | undefined>((resolve, reject) => {
      runs.push({ id, signal, end: (end) => resolve(end), fail: reject });
    });
}

async function add(...jobs: readonly Job[]): Promise<void> {
  for (const job of jobs) queue.addJob(job, controlled(job.id));
  await settleAll();
}

async function end(id: string, how?: RunEnd): Promise<void> {
  runs.findLast((run) => run.id === id)?.end(how);
  await settleAll();
}

function startedIds(): readonly string[] {
  return runs.map(({ id }) => id);
}

describe("the queue, when jobs are added,", () => {
  it("compares jobs added together, and fills each slot as it becomes free (R80)", async () => {
    await add(makeJob("J1"), makeJob("J2"), makeJob("J3", { priority: 5 }));
    expect(startedIds()).toStrictEqual(["J3", "J1"]);
    expect([queue.listRunning(), queue.listWaiting()]).toStrictEqual([["J3", "J1"], ["J2"]]);
    expect(queue.whyWaiting("J2")).toBe("waits for a slot: 2 of 2 in use");
    expect(queue.whyWaiting("J1")).toBeUndefined();
    await end("J3");
    expect(startedIds()).toStrictEqual(["J3", "J1", "J2"]);
  });

  it("runs an id once at a time, and again after it has ended", async () => {
    await add(makeJob("J1"));
    expect(() => queue.addJob(makeJob("J1"), controlled("J1"))).toThrow("J1 already waits or runs");
    await end("J1");
    await add(makeJob("J1"));
    expect(startedIds()).toStrictEqual(["J1", "J1"]);
    await add(makeJob("J2"), makeJob("J3"));
    expect(() => queue.addJob(makeJob("J3"), controlled("J3"))).toThrow("J3 already waits or runs");
  });

  it("frees the slot of a run that throws, at once or later, but not the slots of its siblings (R81)", async () => {
    const broken = new Error("broken");
    queue.addJob(makeJob("J1"), () => {
      throw broken;
    });
    await add(makeJob("J2"), makeJob("J3"), makeJob("J4"));
    expect(startedIds()).toStrictEqual(["J2", "J3"]);
    expect(await queue.whenSettled("J1")).toStrictEqual({ kind: "unsuccessful", error: broken });
    runs[0]?.fail(broken);
    await settleAll();
    expect(queue.listRunning()).toStrictEqual(["J3", "J4"]);
  });

  it("starts more when limits are raised, and lets running jobs finish when they are lowered", async () => {
    await add(...["J1", "J2", "J3", "J4"].map((id) => makeJob(id)));
    queue.setLimits(slots(3));
    await settleAll();
    expect(queue.listRunning()).toStrictEqual(["J1", "J2", "J3"]);
    queue.setLimits(slots(1));
    await end("J1");
    await end("J2");
    expect(queue.listRunning()).toStrictEqual(["J3"]);
    await end("J3");
    expect(queue.listRunning()).toStrictEqual(["J4"]);
  });

  it("accepts jobs that a run adds while it starts", async () => {
    queue.addJob(makeJob("J1"), async () => queue.addJob(makeJob("J2"), controlled("J2")));
    await settleAll();
    expect(startedIds()).toStrictEqual(["J2"]);
  });
});

describe("the queue, when a job lends its slot,", () => {
  it("lets other jobs use the slot until that job wants it back", async () => {
    queue.setLimits(slots(1));
    await add(makeJob("J1"), makeJob("J2"), makeJob("J3"));
    queue.lendSlot("J1", true);
    await settleAll();
    expect(queue.listRunning()).toStrictEqual(["J1", "J2"]);
    queue.lendSlot("J1", false);
    await end("J2");
    expect(queue.listRunning()).toStrictEqual(["J1"]);
    expect(queue.whyWaiting("J3")).toBe("waits for a slot: 1 of 1 in use");
    queue.lendSlot("nobody", true);
    await end("J1");
    expect(queue.listRunning()).toStrictEqual(["J3"]);
  });
});

describe("the queue, when a job is parked,", () => {
  it("frees its slot, keeps its dependants waiting, and continues it when it is added again", async () => {
    queue.setLimits(slots(1));
    await add(makeJob("J1"), makeJob("J2"), makeJob("J3", { dependsOn: ["J1"] }));
    const settled = queue.whenSettled("J1");
    await end("J1", { kind: "parked" });
    expect(queue.listRunning()).toStrictEqual(["J2"]);
    await end("J2");
    expect(queue.listRunning()).toStrictEqual([]);
    expect(queue.whyWaiting("J3")).toBe("waits for J1");
    await add(makeJob("J1"));
    await end("J1");
    expect(await settled).toStrictEqual({ kind: "succeeded" });
    expect(queue.listRunning()).toStrictEqual(["J3"]);
  });

  it("can still cancel it", async () => {
    await add(makeJob("J1"));
    await end("J1", { kind: "parked" });
    expect(queue.cancelJob("J1")).toBe(true);
    expect(await queue.whenSettled("J1")).toStrictEqual({ kind: "cancelled" });
    expect(queue.cancelJob("J1")).toBe(false);
  });
});

describe("the queue, when a job is retried,", () => {
  it("lets it wait for its time without a slot, then runs it again (R113)", async () => {
    await add(makeJob("J1"), makeJob("J2", { dependsOn: ["J1"] }));
    await end("J1", { kind: "again", notBeforeMs: time.monotonicMs() + 4000 });
    expect(queue.listRunning()).toStrictEqual([]);
    expect(queue.whyWaiting("J1")).toBe("retries in 4 s");
    time.advance(3999);
    expect(queue.listRunning()).toStrictEqual([]);
    time.advance(1);
    expect(queue.listRunning()).toStrictEqual(["J1"]);
    await end("J1");
    expect(queue.listRunning()).toStrictEqual(["J2"]);
  });

  it("sets one timer for the earliest job, and sets it again if it fired too early", async () => {
    const now = time.monotonicMs();
    await add(makeJob("J1", { notBeforeMs: now + 500 }), makeJob("J2", { notBeforeMs: now + 100 }));
    expect(time.timers()).toBe(1);
    time.fireEarly();
    expect([queue.listRunning(), time.timers()]).toStrictEqual([[], 1]);
    time.advance(100);
    expect([queue.listRunning(), time.timers()]).toStrictEqual([["J2"], 1]);
    queue.cancelJob("J1");
    await settleAll();
    expect(time.timers()).toBe(0);
  });

  it("can wait longer than one timer", async () => {
    const far = 2 ** 33;
    await add(makeJob("J1", { notBeforeMs: time.monotonicMs() + far }));
    time.advance(far - 1);
    expect(queue.listRunning()).toStrictEqual([]);
    time.advance(1);
    expect(queue.listRunning()).toStrictEqual(["J1"]);
  });
});

describe("the queue, when jobs are cancelled,", () => {
  it("ends waiting jobs at once and asks running ones, which keep their slot until they have stopped", async () => {
    await add(makeJob("J1"), makeJob("J2"), makeJob("J3"), makeJob("J4"));
    expect(queue.cancelJob("J3")).toBe(true);
    expect(await queue.whenSettled("J3")).toStrictEqual({ kind: "cancelled" });
    expect(queue.cancelJob("J1")).toBe(true);
    await settleAll();
    expect(runs[0]?.signal.aborted).toBe(true);
    expect(queue.listRunning()).toStrictEqual(["J1", "J2"]);
    await end("J1", { kind: "unsuccessful" });
    expect(await queue.whenSettled("J1")).toStrictEqual({ kind: "cancelled" });
    expect(queue.listRunning()).toStrictEqual(["J2", "J4"]);
    expect(queue.cancelJob("nobody")).toBe(false);
  });

  it.each([{ kind: "again", notBeforeMs: 0 } as const, { kind: "parked" } as const])(
    "does not let a cancelled run come back as %o",
    async (how) => {
      await add(makeJob("J1"));
      queue.cancelJob("J1");
      await end("J1", how);
      expect(await queue.whenSettled("J1")).toStrictEqual({ kind: "cancelled" });
      expect(startedIds()).toStrictEqual(["J1"]);
    },
  );

  it("accepts the result of a run that succeeded anyway", async () => {
    await add(makeJob("J1"));
    queue.cancelJob("J1");
    await end("J1");
    expect(await queue.whenSettled("J1")).toStrictEqual({ kind: "succeeded" });
  });

  it.each([0, 1, 2, 3, 4])("closes even %i steps after a run asked to be parked", async (steps) => {
    await add(makeJob("J1"));
    runs[0]?.end({ kind: "parked" });
    for (let step = 0; step < steps; step += 1) await Promise.resolve();
    await queue.close();
    expect([queue.listRunning(), queue.listWaiting()]).toStrictEqual([[], []]);
    expect(await queue.whenSettled("J1")).toStrictEqual({ kind: "cancelled" });
  });

  it("closes when every run has stopped, and leaves no timer", async () => {
    await add(makeJob("J1"), makeJob("J2", { notBeforeMs: time.monotonicMs() + 1000 }), makeJob("J3"));
    await end("J3", { kind: "parked" });
    let isClosed = false;
    const closed = queue.close().then(() => (isClosed = true));
    await settleAll();
    expect([isClosed, time.timers(), queue.listWaiting()]).toStrictEqual([false, 0, []]);
    await end("J1");
    await closed;
    expect(await queue.whenSettled("J3")).toStrictEqual({ kind: "cancelled" });
  });
});

describe("blocked jobs", () => {
  it("are reported once, and then cancelled by the caller", async () => {
    const reports: string[] = [];
    queue.onBlocked(({ id, kind, on }) => reports.push(`${id} ${kind} ${on.join()}`));
    await add(
      makeJob("J1"),
      makeJob("J2", { dependsOn: ["J1"] }),
      makeJob("J3", { dependsOn: ["J1", "J4"] }),
      makeJob("J4"),
      makeJob("J5", { dependsOn: ["X"] }),
    );
    await end("J1", { kind: "unsuccessful" });
    await settleAll();
    expect(reports).toStrictEqual(["J5 unknown-dependency X", "J2 blocked-by J1", "J3 blocked-by J1"]);
    expect(queue.cancelJob("J2")).toBe(true);
    expect(queue.cancelJob("J3")).toBe(true);
    await settleAll();
    await end("J4");
    expect([queue.listWaiting(), queue.listRunning()]).toStrictEqual([["J5"], []]);
    expect(reports).toHaveLength(3);
  });

  it("do not include a job whose dependency the queue remembers as succeeded", async () => {
    queue.rememberEnd("J1", "US-1", { kind: "succeeded" });
    await add(makeJob("J2", { dependsOn: ["J1"] }));
    expect(queue.listRunning()).toStrictEqual(["J2"]);
    expect(() => queue.rememberEnd("J2", "US-1", { kind: "succeeded" })).toThrow("J2 already waits or runs");
  });
});

describe("the queue, over its life,", () => {
  it("reports each time that nothing waits and nothing runs any more", async () => {
    let times = 0;
    queue.onIdle(() => (times += 1));
    await add(makeJob("J1"), makeJob("J2"), makeJob("J3"));
    await end("J1");
    await end("J2");
    expect(times).toBe(0);
    await end("J3");
    expect(times).toBe(1);
    await add(makeJob("J4"));
    await end("J4");
    expect(times).toBe(2);
  });

  it("remembers endings until their group is forgotten", async () => {
    await add(makeJob("J1"), makeJob("K2", { group: "US-2" }));
    await end("J1");
    await end("K2");
    expect(await queue.whenSettled("J1")).toStrictEqual({ kind: "succeeded" });
    queue.forgetGroup("US-1");
    await expect(queue.whenSettled("J1")).rejects.toThrow("J1 was never added");
    expect(await queue.whenSettled("K2")).toStrictEqual({ kind: "succeeded" });
  });

  it("uses the clock and timers of the system unless told otherwise", async () => {
    const own = new RunQueue({ limits: slots(1) });
    own.addJob(makeJob("J1", { notBeforeMs: performance.now() + 5 }), async () => undefined);
    expect(await own.whenSettled("J1")).toStrictEqual({ kind: "succeeded" });
  });
});
