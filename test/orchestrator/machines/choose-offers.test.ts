import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  chooseOffers,
  type OpenMachine,
  type WaitingAttempt,
} from "../../../src/orchestrator/machines/choose-offers.ts";

const machine = (name: string, free: number, ...pools: string[]): OpenMachine => ({
  name,
  incarnation: "one",
  pools: pools.length === 0 ? ["default"] : pools,
  free,
});
const attempt = (id: string, more: Partial<WaitingAttempt> = {}) => ({
  id,
  pool: "default",
  priority: 0,
  sinceMs: 0,
  home: undefined,
  offered: undefined,
  findFull: () => undefined,
  ...more,
});
const rules = { nowMs: 1000, repeatMs: 5000, homeMs: 30_000 };
const choose = (
  waiting: readonly ReturnType<typeof attempt>[],
  machines: readonly OpenMachine[],
  nowMs: number = rules.nowMs,
): readonly string[] =>
  chooseOffers(waiting, machines, { ...rules, nowMs }).map(({ waiting: { id }, queue }) => `${id} ${queue}`);

describe("offers to the machines of a cluster (R189)", () => {
  it("go to the most urgent first, then to the oldest, and never exceed what machines have free", () => {
    const waiting = [
      attempt("young", { sinceMs: 2 }),
      attempt("old", { sinceMs: 1 }),
      attempt("low", { priority: -1 }),
      attempt("urgent", { priority: 1, sinceMs: 3 }),
    ];
    expect(choose(waiting, [machine("w1", 1), machine("w2", 2)])).toEqual([
      "urgent default",
      "old default",
      "young default",
    ]);
  });

  it("go only to machines with the skill", () => {
    const waiting = [attempt("paint", { pool: "gpu", priority: 9 }), attempt("sweep")];
    expect(choose(waiting, [machine("w1", 5)])).toEqual(["sweep default"]);
    expect(choose(waiting, [machine("w1", 5, "gpu")])).toEqual(["paint gpu"]);
  });

  it("spare machines with several skills for work that only they can do", () => {
    const waiting = [attempt("sweep", { priority: 9 }), attempt("paint", { pool: "gpu" })];
    const both = machine("w1", 1, "gpu", "default");
    expect(choose(waiting, [both, machine("w2", 1)])).toEqual(["sweep default", "paint gpu"]);
    expect(choose(waiting, [both])).toEqual(["sweep default"]);
  });

  it("count earlier offers that were not begun yet", () => {
    const offered = { queue: "default", atMs: 1000 };
    const waiting = [attempt("new", { priority: 9 }), attempt("before", { offered })];
    expect(choose(waiting, [machine("w1", 1)])).toEqual([]);
    expect(choose(waiting, [machine("w1", 2)])).toEqual(["new default"]);
  });

  it("go first to the machine that has the session, and not beyond what that one has free", () => {
    const waiting = ["A", "B"].map((id) => attempt(id, { home: "w1/one" }));
    const live = [machine("w1", 1), machine("w2", 5)];
    expect(choose([...waiting, attempt("C")], live)).toEqual(["A node.w1", "C default"]);
  });

  it("go to the pool when that machine is gone, was started again, or is full for too long", () => {
    const waiting = [attempt("A", { home: "w1/one" })];
    expect(choose(waiting, [machine("w2", 1)])).toEqual(["A default"]);
    expect(choose(waiting, [{ ...machine("w1", 1), incarnation: "two" }])).toEqual(["A default"]);
    const full = [machine("w1", 0), machine("w2", 1)];
    expect(choose(waiting, full)).toEqual([]);
    expect(choose(waiting, full, 30_001)).toEqual(["A default"]);
  });

  it("are made again when they were not taken, and elsewhere at once when the queue has changed", () => {
    const offered = { queue: "node.w1", atMs: 1000 };
    const waiting = [attempt("A", { home: "w1/one", offered })];
    const live = [machine("w1", 1), machine("w2", 1)];
    expect(choose(waiting, live, 6000)).toEqual([]);
    expect(choose(waiting, live, 6001)).toEqual(["A node.w1"]);
    expect(choose(waiting, [machine("w2", 1)], 1001)).toEqual(["A default"]);
  });

  it("count for the pool of a machine if they went to that machine alone", () => {
    const offered = { queue: "node.w1", atMs: 1000 };
    const waiting = [attempt("A", { home: "w1/one", offered }), attempt("B")];
    expect(choose(waiting, [machine("w1", 1)])).toEqual([]);
  });

  it("are not made for a full provider", () => {
    expect(choose([attempt("A", { findFull: () => "anthropic" })], [machine("w1", 1)])).toEqual([]);
  });

  it("never exceed what machines have free, in any situation", () => {
    const pools = fc.constantFrom("a", "b", "c");
    const anyMachines = fc
      .array(fc.record({ pools: fc.uniqueArray(pools, { minLength: 1 }), free: fc.nat(3) }))
      .map((rows) => rows.map((row, index) => machine(`w${index}`, row.free, ...row.pools)));
    const anyWaiting = fc.array(
      fc.record({
        pool: pools,
        priority: fc.integer({ min: -1, max: 1 }),
        sinceMs: fc.nat(9),
        home: fc.constantFrom(undefined, "w0/one", "w1/one", "w1/two"),
        isOffered: fc.boolean(),
      }),
    );
    fc.assert(
      fc.property(anyWaiting, anyMachines, (rows, machines) => {
        const waiting = rows.map(({ isOffered, ...row }, index) =>
          attempt(`A${index}`, { ...row, offered: isOffered ? { queue: row.pool, atMs: 1000 } : undefined }),
        );
        const chosen = chooseOffers(waiting, machines, rules);
        const sumFree = (able: readonly OpenMachine[]): number =>
          able.reduce((sum, { free }) => sum + free, 0);
        expect(chosen.length).toBeLessThanOrEqual(sumFree(machines));
        for (const one of ["a", "b", "c"] as const) {
          const able = machines.filter((row) => row.pools.includes(one));
          expect(chosen.filter(({ queue }) => queue === one).length).toBeLessThanOrEqual(sumFree(able));
        }
        for (const { name, free } of machines)
          expect(chosen.filter(({ queue }) => queue === `node.${name}`).length).toBeLessThanOrEqual(free);
      }),
    );
  });
});
