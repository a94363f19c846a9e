import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { RateGate } from "../../src/scheduler/rate-gate.ts";
import { RunQueue, type RunEnd } from "../../src/scheduler/run-queue.ts";
import { FakeTime, settleAll } from "./fake-time.ts";
import { makeJob, slots } from "./make-job.ts";

describe("a rate gate", () => {
  it("is open until a request is refused, and stays open for every other provider", () => {
    const gate = new RateGate(() => 0);
    expect(gate.closedUntil("anthropic", 0)).toBeUndefined();
    gate.closeGate("anthropic", { nowMs: 1000, retryAfterMs: 30_000 });
    expect(gate.closedUntil("anthropic", 1000)).toBe(31_000);
    expect(gate.closedUntil("openai", 1000)).toBeUndefined();
    expect(gate.closedUntil("anthropic", 31_000)).toBeUndefined();
  });

  it("waits as long as the provider asks, plus a little random time, and never for days", () => {
    const waits = [0, 0.5, 1].map((chance) =>
      new RateGate(() => chance).closeGate("a", { nowMs: 0, retryAfterMs: 60_000 }),
    );
    expect(waits).toStrictEqual([60_000, 63_000, 66_000]);
    const year = new RateGate(() => 0).closeGate("a", { nowMs: 0, retryAfterMs: 365 * 24 * 3_600_000 });
    expect(year).toBe(24 * 3_600_000);
  });

  it("waits longer after each refusal that follows a wait, up to ten minutes, if the provider gives no time", () => {
    const gate = new RateGate(() => 1);
    const waits: number[] = [];
    let nowMs = 0;
    for (let refusal = 0; refusal < 8; refusal += 1) {
      const untilMs = gate.closeGate("a", { nowMs });
      waits.push((untilMs - nowMs) / 1000);
      nowMs = untilMs;
    }
    expect(waits).toStrictEqual([10, 20, 40, 80, 160, 320, 600, 600]);
  });

  it("counts the refusals of concurrent jobs as one", () => {
    const gate = new RateGate(() => 1);
    for (let worker = 0; worker < 20; worker += 1) gate.closeGate("a", { nowMs: worker });
    expect(gate.closedUntil("a", 20)).toBe(10_000);
    expect(gate.closeGate("a", { nowMs: 10_000 })).toBe(30_000);
  });

  it("starts over once the provider has answered, but not because of an earlier request", () => {
    const gate = new RateGate(() => 1);
    gate.closeGate("a", { nowMs: 0 });
    gate.markAnswered("a", 5000);
    expect(gate.closedUntil("a", 5000)).toBe(10_000);
    gate.markAnswered("a", 10_000);
    expect(gate.closeGate("a", { nowMs: 10_000 })).toBe(20_000);
  });

  it("announces a refusal that closes it for longer, and adopts the times of others without announcing them", () => {
    const gate = new RateGate(() => 0);
    const told: string[] = [];
    gate.onClosed((provider, untilMs) => told.push(`${provider} ${untilMs}`));
    gate.closeGate("a", { nowMs: 0, retryAfterMs: 30_000 });
    gate.closeGate("a", { nowMs: 10, retryAfterMs: 20_000 });
    gate.keepClosed("a", 20_000);
    expect(gate.closedUntil("a", 0)).toBe(30_000);
    gate.keepClosed("a", 40_000);
    gate.keepClosed("b", 5000);
    expect([gate.closedUntil("a", 0), gate.closedUntil("b", 0)]).toEqual([40_000, 5000]);
    expect(told).toEqual(["a 30000"]);
    gate.markAnswered("a", 40_000);
    expect(gate.closedUntil("a", 40_000)).toBeUndefined();
  });

  it("never opens earlier than any refusal asked for", () => {
    const refusal = fc.record({
      gapMs: fc.nat(100_000),
      retryAfterMs: fc.option(fc.nat(100_000), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(refusal), fc.double({ min: 0, max: 0.999, noNaN: true }), (refusals, chance) => {
        const gate = new RateGate(() => chance);
        let nowMs = 0;
        let earliestMs = 0;
        for (const { gapMs, retryAfterMs } of refusals) {
          nowMs += gapMs;
          earliestMs = Math.max(earliestMs, nowMs + (retryAfterMs ?? 0));
          expect(gate.closeGate("a", { nowMs, retryAfterMs })).toBeGreaterThanOrEqual(earliestMs);
        }
      }),
    );
  });
});

let time: FakeTime;
let gate: RateGate;
let started: string[];

beforeEach(() => {
  time = new FakeTime();
  gate = new RateGate(() => 0);
  started = [];
});

const open: Map<string, (end: RunEnd) => void> = new Map();

/** Jobs of two stories; each runs until it is ended. */
async function queueWith(gated: boolean): Promise<RunQueue> {
  const queue = new RunQueue({
    limits: slots(2),
    clock: time,
    setTimer: time.setTimer,
    ...(gated ? { gate } : {}),
  });
  const add = (id: string, provider: string, group = "US-1"): void =>
    queue.addJob(makeJob(id, { provider, group }), async () => {
      started.push(id);
      return new Promise<RunEnd>((resolve) => open.set(id, resolve));
    });
  add("J1", "anthropic");
  add("J2", "anthropic");
  add("J3", "anthropic", "US-2");
  add("J4", "openai", "US-2");
  add("J5", "anthropic", "US-2");
  await settleAll();
  return queue;
}

async function end(id: string): Promise<void> {
  open.get(id)?.({ kind: "succeeded" });
  await settleAll();
}

describe("a queue with a gate", () => {
  it("starts nothing for a full provider in any story, lets others pass, and continues when it opens", async () => {
    const queue = await queueWith(true);
    expect(started).toStrictEqual(["J1", "J3"]);
    gate.closeGate("anthropic", { nowMs: time.monotonicMs(), retryAfterMs: 60_000 });
    await end("J1");
    expect(started).toStrictEqual(["J1", "J3", "J4"]);
    // What runs goes on, and what ends gives its slot to none that would be refused.
    await end("J3");
    await end("J4");
    expect(queue.listRunning()).toStrictEqual([]);
    expect(queue.whyWaiting("J2")).toBe("waits for provider anthropic until 00:01:01 UTC");
    time.advance(59_999);
    await settleAll();
    expect(started).toHaveLength(3);
    time.advance(1);
    await settleAll();
    expect(started.slice(3).toSorted()).toStrictEqual(["J2", "J5"]);
    expect(queue.whyWaiting("J2")).toBeUndefined();
  });

  it("keeps waiting if the provider refuses again meanwhile", async () => {
    const queue = await queueWith(true);
    gate.closeGate("anthropic", { nowMs: time.monotonicMs(), retryAfterMs: 10_000 });
    await end("J1");
    time.advance(5000);
    gate.closeGate("anthropic", { nowMs: time.monotonicMs(), retryAfterMs: 10_000 });
    time.advance(5000);
    await settleAll();
    expect(queue.listWaiting()).toContain("J2");
    expect(started).toStrictEqual(["J1", "J3", "J4"]);
    await end("J4");
    time.advance(5000);
    await settleAll();
    expect(started.at(-1)).toBe("J2");
  });

  it("control: without the gate the next job would be refused as well", async () => {
    await queueWith(false);
    gate.closeGate("anthropic", { nowMs: time.monotonicMs(), retryAfterMs: 60_000 });
    await end("J1");
    await end("J3");
    expect(started).toStrictEqual(["J1", "J3", "J2", "J4"]);
  });
});
