import { describe, expect, it as plain } from "vitest";
import { LoopWatch } from "../../src/orchestrator/running/invoke/loop-watch.ts";
import { it } from "./open-runtime.ts";
import { codex, streamAgent } from "./stream-agent.ts";

const signs = (calls: readonly (readonly [string, string | undefined])[]): readonly string[] => {
  const watch = new LoopWatch();
  return calls.map(([name, input]) => watch.countCall({ name, ...(input === undefined ? {} : { input }) }));
};
const repeat = (period: number, count: number) =>
  Array.from({ length: count }, (_, index) => ["shell", String(index % period)] as const);

describe("a loop watch", () => {
  plain.each([1, 2, 3, 4])("warns once at 10 calls and stops at 25 in a cycle of %i", (period) => {
    const told = signs(repeat(period, 25));
    expect(told.indexOf("warn")).toBe(9);
    expect(told.filter((sign) => sign === "warn")).toHaveLength(1);
    expect(told.indexOf("stop")).toBe(24);
  });

  plain("says nothing about longer cycles, other inputs, unknown inputs and waiting", () => {
    const quiet = [
      repeat(5, 200),
      repeat(1000, 200),
      Array.from({ length: 200 }, () => ["shell", undefined] as const),
      Array.from({ length: 200 }, () => ["mcp__ambit__wait", "same"] as const),
      [...repeat(1, 9), ["shell", "other"] as const, ...repeat(1, 9)],
    ];
    for (const calls of quiet) expect(new Set(signs(calls))).toEqual(new Set(["none"]));
  });
});

describe.concurrent("an agent that repeats the same call", () => {
  it("is warned, stopped within 30 calls, and its work is kept", { timeout: 60_000 }, async ({ open }) => {
    const runtime = await open("delegation:\n  maxTurns: null\n");
    const calls = { steps: codex.call, everyMs: 100 };
    const agent = streamAgent(runtime.project, "looper", [[codex.begin, calls]]);
    const story = { id: "L1", title: "Loop", adapter: "codex", command: agent.command };
    const ended = await runtime.engine.whenEnded(await runtime.engine.openStory(story));
    expect(ended).toMatchObject({ code: "AGENT_LOOPED", attempt: 1 });
    expect(agent.steps()).toBeGreaterThanOrEqual(25);
    expect(agent.steps()).toBeLessThanOrEqual(30);
    expect(runtime.told("L1", "limit-warned")).toMatchObject([{ code: "AGENT_LOOPED" }]);
  });
});
