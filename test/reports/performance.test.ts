import { beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { outcomes } from "../../src/contract/outcome.ts";
import type { Store } from "../../src/journal/store.ts";
import { measureCycleCheck } from "../../src/reports/cycle-check-time.ts";
import { emptySums, emptyTotals } from "../../src/reports/empty-totals.ts";
import { buildPerformance, type Performance } from "../../src/reports/performance.ts";
import { complete, end, FakeClock, openStory, spend, start } from "./fill-store.ts";
import { temporaryStore } from "./temporary-store.ts";
import { makeDelegation } from "./make-delegation.ts";

let store: Store;
let clock: FakeClock;

beforeEach(async () => {
  clock = new FakeClock();
  store = temporaryStore(clock);
  await openStory(store, "US-1", "Story");
});

async function performance(): Promise<Performance> {
  return buildPerformance({
    totals: await store.totals(),
    completed: await store.completedSums(),
    cycleCheckMs: null,
  });
}

async function startWorker(): Promise<string> {
  return (await start(store, "US-1", { description: "part" })).id;
}

describe("buildPerformance (R106)", () => {
  it("gives the figures of the worked example: 12 of 14 finished completed, $0.42 each, $5.04 in all", async () => {
    for (let number = 1; number <= 12; number += 1) {
      const id = await startWorker();
      await spend(store, id, { in: 11_250, out: 3100, usd: 0.42 });
      await complete(store, id);
    }
    for (const _ of ["one", "two"]) {
      await end(store, await startWorker(), { outcome: "failed", summary: "Broken." });
    }
    await startWorker();
    expect(await performance()).toMatchObject({
      total_delegations: 15,
      completed: 12,
      failed: 2,
      running: 1,
      success_rate: 0.857,
      avg_cost_usd: 0.42,
      total_cost_usd: 5.04,
      avg_tokens_in: 11_250,
      avg_tokens_out: 3100,
    });
  });

  it("gives the average, the median and the 95th percentile of the durations", async () => {
    const ids = await Promise.all(Array.from({ length: 4 }, startWorker));
    for (const id of ids) {
      clock.advance(100_000);
      await complete(store, id);
    }
    expect(await performance()).toMatchObject({
      avg_duration_ms: 250_000,
      median_duration_ms: 250_000,
      p95_duration_ms: 400_000,
      parallel_efficiency: 0.625,
    });
  });

  it("counts each outcome under its own name, all counts add up, and cancelled work does not lower the success rate", async () => {
    for (const outcome of outcomes) {
      const id = await startWorker();
      if (outcome === "completed") await complete(store, id);
      else await end(store, id, { outcome, summary: outcome });
    }
    await startWorker();
    await store.admit({ parent: "US-1", parentAttempt: 1, requests: [{ description: "queued" }] });
    const report = await performance();
    expect(report).toMatchObject({
      total_delegations: 8,
      completed: 1,
      failed: 1,
      running: 1,
      partial: 1,
      blocked: 1,
      cancelled: 1,
      timed_out: 1,
      waiting: 1,
      finished: 5,
      success_rate: 0.2,
    });
    const { completed, failed, running, partial, blocked, cancelled, timed_out, waiting } = report;
    const counted = completed + failed + running + partial + blocked + cancelled + timed_out + waiting;
    expect(counted).toBe(report.total_delegations);
  });

  it("averages the time for workspaces and adds up the measured overheads", async () => {
    for (const durationMs of [100, 150]) {
      await store.record({
        type: "workspace-created",
        story: "US-1",
        delegation: await startWorker(),
        attempt: 1,
        data: { path: "w", branch: "b", base: "c", durationMs },
      });
    }
    const facts = { totals: await store.totals(), completed: emptySums };
    expect(buildPerformance({ ...facts, cycleCheckMs: 15 })).toMatchObject({
      worktree_overhead_ms: 125,
      cycle_detection_overhead_ms: 15,
      total_overhead_ms: 140,
    });
    expect(buildPerformance({ ...facts, cycleCheckMs: null })).toMatchObject({
      worktree_overhead_ms: 125,
      cycle_detection_overhead_ms: null,
      total_overhead_ms: 125,
    });
  });

  it("gives null for every rate and average that was not measured", () => {
    const facts = { totals: emptyTotals, completed: emptySums, cycleCheckMs: null };
    expect(buildPerformance(facts)).toStrictEqual({
      total_delegations: 0,
      completed: 0,
      failed: 0,
      running: 0,
      partial: 0,
      blocked: 0,
      cancelled: 0,
      timed_out: 0,
      waiting: 0,
      finished: 0,
      success_rate: null,
      avg_duration_ms: null,
      median_duration_ms: null,
      p95_duration_ms: null,
      avg_cost_usd: null,
      total_cost_usd: 0,
      avg_tokens_in: null,
      avg_tokens_out: null,
      worktree_overhead_ms: null,
      cycle_detection_overhead_ms: null,
      total_overhead_ms: null,
      parallel_efficiency: null,
    });
  });
});

describe("measureCycleCheck (R106)", () => {
  it("takes less than 200 ms on the deepest line of delegations", () => {
    const line = ["US-1", "US-1-DEL-001", "US-1-DEL-001-DEL-001"].map((id) => makeDelegation(id));
    const measured = measureCycleCheck(line, systemClock);
    expect(measured).toBeGreaterThan(0);
    expect(measured).toBeLessThan(200);
  });

  it("measures nothing if nothing was delegated", () => {
    expect(measureCycleCheck([makeDelegation("US-1")], systemClock)).toBeNull();
    expect(measureCycleCheck([], systemClock)).toBeNull();
  });
});
