import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chooseOffers, type WaitingAttempt } from "../../../src/orchestrator/machines/choose-offers.ts";

type Named = WaitingAttempt & { readonly id: string };

const wait = (id: string, parts: Partial<WaitingAttempt> = {}): Named => ({
  id,
  pool: "default",
  priority: 0,
  sinceMs: 0,
  offeredAtMs: undefined,
  ...parts,
});
const listIds = (chosen: readonly Named[]): readonly string[] => chosen.map(({ id }) => id);

describe("what is offered to machines (R189)", () => {
  it("is the most urgent first, then the oldest, and no more than they have free", () => {
    const waiting = [
      wait("young", { sinceMs: 2 }),
      wait("old", { sinceMs: 1 }),
      wait("low", { priority: -1 }),
      wait("urgent", { priority: 1, sinceMs: 3 }),
    ];
    expect(listIds(chooseOffers(waiting, [{ pools: ["default"], free: 3 }]))).toEqual([
      "urgent",
      "old",
      "young",
    ]);
  });

  it("goes to machines with the skill only", () => {
    const waiting = [wait("paint", { pool: "gpu", priority: 9 }), wait("sweep")];
    expect(listIds(chooseOffers(waiting, [{ pools: ["default"], free: 5 }]))).toEqual(["sweep"]);
    expect(listIds(chooseOffers(waiting, [{ pools: ["gpu"], free: 5 }]))).toEqual(["paint"]);
  });

  it("leaves machines with several skills to what only they can do", () => {
    const waiting = [wait("sweep", { priority: 9 }), wait("paint", { pool: "gpu" })];
    const machines = [
      { pools: ["gpu", "default"], free: 1 },
      { pools: ["default"], free: 1 },
    ];
    expect(listIds(chooseOffers(waiting, machines))).toEqual(["sweep", "paint"]);
    expect(listIds(chooseOffers(waiting, machines.slice(0, 1)))).toEqual(["sweep"]);
  });

  it("counts what was offered and not begun yet", () => {
    const waiting = [wait("new", { priority: 9 }), wait("before", { offeredAtMs: 1 })];
    expect(chooseOffers(waiting, [{ pools: ["default"], free: 1 }])).toEqual([]);
    expect(listIds(chooseOffers(waiting, [{ pools: ["default"], free: 2 }]))).toEqual(["new"]);
  });

  it("never exceeds what machines have free, in any situation", () => {
    const pools = fc.constantFrom("a", "b", "c");
    const machines = fc.array(
      fc.record({ pools: fc.uniqueArray(pools, { minLength: 1 }), free: fc.integer({ min: 0, max: 3 }) }),
    );
    const anyWaiting = fc.array(
      fc.record({
        pool: pools,
        priority: fc.integer({ min: -1, max: 1 }),
        sinceMs: fc.nat(9),
        offeredAtMs: fc.constantFrom(undefined, 1),
      }),
    );
    fc.assert(
      fc.property(anyWaiting, machines, (waiting, live) => {
        const chosen = chooseOffers(waiting, live);
        expect(chosen.every(({ offeredAtMs }) => offeredAtMs === undefined)).toBe(true);
        expect(chosen.length).toBeLessThanOrEqual(live.reduce((sum, { free }) => sum + free, 0));
        for (const one of ["a", "b", "c"] as const) {
          const able = live.filter((machine) => machine.pools.includes(one));
          const count = chosen.filter(({ pool }) => pool === one).length;
          expect(count).toBeLessThanOrEqual(able.reduce((sum, { free }) => sum + free, 0));
        }
      }),
    );
  });
});
