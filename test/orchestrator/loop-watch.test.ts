import { describe, expect, it } from "vitest";
import { LoopWatch } from "../../src/orchestrator/running/invoke/loop-watch.ts";

const signs = (calls: readonly (readonly [string, string | undefined])[]): readonly string[] => {
  const watch = new LoopWatch();
  return calls.map(([name, input]) => watch.countCall({ name, ...(input === undefined ? {} : { input }) }));
};
const repeat = (period: number, count: number) =>
  Array.from({ length: count }, (_, index) => ["shell", String(index % period)] as const);

describe("a loop watch", () => {
  it.each([1, 2, 3, 4])("warns once at 10 calls and stops at 25 in a cycle of %i", (period) => {
    const told = signs(repeat(period, 25));
    expect(told.indexOf("warn")).toBe(9);
    expect(told.filter((sign) => sign === "warn")).toHaveLength(1);
    expect(told.indexOf("stop")).toBe(24);
  });

  it("says nothing about longer cycles, other inputs and unknown inputs", () => {
    const quiet = [
      repeat(5, 200),
      repeat(1000, 200),
      Array.from({ length: 200 }, () => ["shell", undefined] as const),
      [...repeat(1, 9), ["shell", "other"] as const, ...repeat(1, 9)],
    ];
    for (const calls of quiet) expect(new Set(signs(calls))).toEqual(new Set(["none"]));
  });

  it("warns again for each new loop, and knows whether the newest calls are one", () => {
    const watch = new LoopWatch();
    const call = (input: string): string => watch.countCall({ name: "shell", input });
    const loop = (input: string) => Array.from({ length: 10 }, () => call(input)).at(-1);
    expect(watch.isRepeating).toBe(false);
    expect([loop("a"), watch.isRepeating]).toEqual(["warn", true]);
    expect([call("other"), watch.isRepeating]).toEqual(["none", false]);
    expect([loop("b"), watch.isRepeating]).toEqual(["warn", true]);
    watch.forgetCalls();
    expect(watch.isRepeating).toBe(false);
    expect([loop("b"), watch.isRepeating]).toEqual(["warn", true]);
    watch.countCall({ name: "shell" });
    expect(watch.isRepeating).toBe(false);
  });

  it("tells calls apart by their tool, and counts a cycle that began after other calls", () => {
    const names = Array.from({ length: 200 }, (_, index) => `tool-${index}`);
    const watch = new LoopWatch();
    expect(new Set(names.map((name) => watch.countCall({ name, input: "same" })))).toEqual(new Set(["none"]));
    const told = signs([["shell", "first"], ...repeat(2, 25)]);
    expect([told.indexOf("warn"), told.indexOf("stop")]).toEqual([10, 25]);
  });

  it("knows which loops wait for workers", () => {
    const watch = new LoopWatch();
    watch.countCall({ name: "mcp__ambit__wait", input: "same" });
    expect(watch.isWaiting).toBe(true);
    for (const name of ["mcp__ambit__status", "mcp__other__wait"]) {
      const other = new LoopWatch();
      other.countCall({ name, input: "same" });
      expect(other.isWaiting).toBe(false);
    }
    for (const [name, input] of repeat(1, 4)) watch.countCall({ name, input });
    expect(watch.isWaiting).toBe(false);
  });
});
