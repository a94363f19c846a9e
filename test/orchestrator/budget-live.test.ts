import { describe, expect } from "vitest";
import { it } from "./open-runtime.ts";
import { processesIn } from "./processes-in.ts";
import { claude, codex, opencode, streamAgent, type StreamAction } from "./stream-agent.ts";

/** Long enough to be ended within, on a busy machine. */
const EVERY_MS = 700;
const STEPS_PAID_FOR = 3;

/** 1000 tokens of this model cost $0.003. */
const dearStep = claude.step(1000);
const forEver = (steps: object): readonly StreamAction[] => [{ steps, everyMs: EVERY_MS }];

const agents: readonly (readonly [string, object, readonly StreamAction[], object])[] = [
  [
    "claude, by list price",
    { adapter: "claude" },
    [claude.begin(), ...forEver(dearStep)],
    { budgetMicroUsd: 9000 },
  ],
  [
    "claude, by tokens",
    { adapter: "claude" },
    [claude.begin(), ...forEver(dearStep)],
    { budgetTokens: 3000 },
  ],
  [
    "opencode, by its own dollars",
    { adapter: "opencode" },
    forEver(opencode.step(10, 0.01)),
    { budgetMicroUsd: 30_000 },
  ],
  [
    "any program, by its usage lines",
    { adapter: "command" },
    forEver({ ambit: "usage", input_tokens: 1, output_tokens: 0, usd: 0.01 }),
    { budgetMicroUsd: 30_000 },
  ],
];

describe.concurrent("an agent that spends the same with every endless step", () => {
  it.for(agents)(
    "is stopped at most one step above its budget: %s (R104)",
    { timeout: 60_000 },
    async ([name, how, actions, budget], { open }) => {
      const runtime = await open();
      const agent = streamAgent(runtime.project, "spender", [actions]);
      const story = { id: "B1", title: name, command: agent.command, ...how, ...budget };
      const ended = await runtime.engine.whenEnded(await runtime.engine.openStory(story));
      expect(ended).toMatchObject({ outcome: "partial", code: "COST_LIMIT_EXCEEDED" });
      expect(agent.steps()).toBeGreaterThanOrEqual(STEPS_PAID_FOR);
      expect(agent.steps()).toBeLessThanOrEqual(STEPS_PAID_FOR + 1);
      expect(processesIn(runtime.project.root)).toBe(0);
    },
  );

  it("continues without a budget (control)", { timeout: 60_000 }, async ({ open }) => {
    const runtime = await open();
    const steps = { steps: claude.step(1000), everyMs: 20, most: 20 };
    const total = { input: 20_000, output: 0, usd: 0.06 };
    const agent = streamAgent(runtime.project, "spender", [
      [claude.begin(), steps, claude.end(total), { done: "Spent it. All of it." }],
    ]);
    const story = { id: "B2", title: "Spend", adapter: "claude", command: agent.command };
    const ended = await runtime.engine.whenEnded(await runtime.engine.openStory(story));
    expect(ended).toMatchObject({ outcome: "completed", microUsd: 60_000, inputTokens: 20_000 });
    expect(agent.steps()).toBe(20);
  });
});

describe.concurrent("an agent that reports its usage only at its end", () => {
  const calls = { steps: codex.call, everyMs: 200 };

  it(
    "is stopped at its maximum of tool calls, and only if there is one",
    { timeout: 60_000 },
    async ({ open }) => {
      const runtime = await open("delegation:\n  maxTurns: 4\n");
      const agent = streamAgent(runtime.project, "caller", [[codex.begin, calls]]);
      const story = { id: "B3", title: "Call", adapter: "codex", command: agent.command };
      const ended = await runtime.engine.whenEnded(await runtime.engine.openStory(story));
      expect(ended).toMatchObject({ outcome: "partial", code: "AGENT_TURN_LIMIT" });
      expect(agent.steps()).toBeGreaterThanOrEqual(5);

      runtime.project.write("ambit.yaml", "");
      const item = { id: "#", type: "command_execution", command: "#" };
      const different = { steps: { type: "item.started", item }, everyMs: 1 };
      const usual = streamAgent(runtime.project, "usual", [[codex.begin, different]]);
      const bounded = { id: "B5", title: "Call", adapter: "codex", command: usual.command };
      const stopped = await runtime.engine.whenEnded(await runtime.engine.openStory(bounded));
      expect(stopped).toMatchObject({ outcome: "partial", code: "AGENT_TURN_LIMIT" });
      expect(usual.steps()).toBeGreaterThan(300);

      runtime.project.write("ambit.yaml", "delegation:\n  maxTurns: null\n");
      const free = streamAgent(runtime.project, "free", [
        [codex.begin, { ...different, most: 320 }, codex.end(10, 0, 1), { done: "Called. Often." }],
      ]);
      const other = { id: "B4", title: "Call", adapter: "codex", command: free.command };
      const completed = await runtime.engine.whenEnded(await runtime.engine.openStory(other));
      expect(completed.outcome).toBe("completed");
      expect(free.steps()).toBe(320);
    },
  );
});
