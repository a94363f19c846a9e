import { describe, expect } from "vitest";
import { until } from "../e2e/project.ts";
import { holdForProvider } from "../../src/orchestrator/running/judge/next-step.ts";
import { makeDelegation } from "../reports/make-delegation.ts";
import { it, type TestRuntime } from "./open-runtime.ts";
import { claude, codex, streamAgent, type StreamAgent } from "./stream-agent.ts";

const RETRY_MS = 4000;

const works = (id: string) => [
  claude.begin(id),
  { steps: claude.step(100), everyMs: 10, most: 1 },
  claude.end({ input: 100, output: 10, usd: 0.001 }),
  { done: "Did it. All of it." },
];

function start(runtime: TestRuntime, id: string, adapter: string, agent: StreamAgent): Promise<string> {
  return runtime.engine.openStory({ id, title: id, adapter, command: agent.command });
}

const startedAt = (runtime: TestRuntime, id: string, attempt: number): number => {
  const found = runtime.events.find(
    (event) => event.type === "attempt-started" && event.delegation === id && event.attempt === attempt,
  );
  return Date.parse(found?.at ?? "");
};

describe.concurrent("a full account", () => {
  it(
    "holds back all its users, lets the others pass, and costs no retry",
    { timeout: 60_000 },
    async ({ open }) => {
      const runtime = await open();
      const hit = streamAgent(runtime.project, "hit", [
        [claude.begin("s-1"), ...claude.full(RETRY_MS)],
        works("s-1"),
      ]);
      const late = streamAgent(runtime.project, "late", [works("s-2")]);
      const other = streamAgent(runtime.project, "other", [
        [codex.begin, codex.end(10, 0, 1), { done: "Did it. All of it." }],
      ]);
      await start(runtime, "Z1", "claude", hit);
      await until("it was refused", () => runtime.history("Z1").includes("attempt-retried"));
      const [retried] = runtime.told("Z1", "attempt-retried");
      expect(retried).toMatchObject({ provider: "anthropic" });
      expect((await runtime.read("Z1")).turn).toMatchObject({ kind: "begin", held: 1, heldBy: "anthropic" });
      await start(runtime, "Z2", "claude", late);
      await start(runtime, "Z3", "codex", other);
      await until("it waits", () => runtime.engine.whyWaiting("Z2") !== undefined);
      expect(runtime.engine.whyWaiting("Z2")).toMatch(
        /^waits for provider anthropic until \d\d:\d\d:\d\d UTC$/,
      );
      expect(runtime.engine.whyWaiting("Z1")).toMatch(/^waits for provider anthropic until/);
      const ended = await Promise.all(["Z1", "Z2", "Z3"].map((id) => runtime.engine.whenEnded(id)));
      expect(ended.map(({ outcome }) => outcome)).toStrictEqual(["completed", "completed", "completed"]);
      expect(ended[0]?.turn).toMatchObject({ counts: {}, held: 1, heldBy: null });
      expect(ended[0]?.attempt).toBe(2);
      const openedAt = Date.parse(retried?.reason.split(" ").at(-1) ?? "");
      // The gate's clock and the journal's are two: a millisecond may lie between them.
      for (const [id, attempt] of [
        ["Z1", 2],
        ["Z2", 1],
      ] as const)
        expect(startedAt(runtime, id, attempt)).toBeGreaterThanOrEqual(openedAt - 5);
      expect(startedAt(runtime, "Z3", 1)).toBeLessThan(openedAt);
      expect(hit.runs()[1]).toContain("--resume s-1");
    },
  );

  it("does not delay a request that got its answer", { timeout: 60_000 }, async ({ open }) => {
    const runtime = await open();
    const refused = claude.full(60_000).slice(0, 1);
    const agent = streamAgent(runtime.project, "lucky", [[...refused, ...works("s-1")]]);
    await start(runtime, "Z4", "claude", agent);
    expect(await runtime.engine.whenEnded("Z4")).toMatchObject({ outcome: "completed", attempt: 1 });
  });
});

describe("an attempt that its provider refused", () => {
  const hold = { provider: "anthropic", afterMs: 30_000, untilWallMs: Date.parse("2026-01-20T10:31:00Z") };

  it("is repeated when the account may have room, twenty times and no more", () => {
    const { turn } = makeDelegation("Z6");
    const step = { provider: "anthropic", afterMs: 30_000, kind: "held" };
    const reason = "waits for provider anthropic until 2026-01-20T10:31:00.000Z";
    expect(holdForProvider({ hold }, { turn })).toStrictEqual({ ...step, reason });
    expect(holdForProvider({ hold }, { turn: { ...turn, held: 19 } })).toStrictEqual({ ...step, reason });
    expect(holdForProvider({ hold }, { turn: { ...turn, held: 20 } })).toBeUndefined();
    expect(holdForProvider({}, { turn })).toBeUndefined();
  });
});
