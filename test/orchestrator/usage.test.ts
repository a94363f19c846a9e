import { writeFileSync } from "node:fs";
import { describe, expect } from "vitest";
import { buildCost } from "../../src/reports/cost.ts";
import { buildCostDocument } from "../../src/reports/cost-document.ts";
import { makeProject, until } from "../e2e/project.ts";
import { it, openOn, useRuntime, type TestRuntime } from "./open-runtime.ts";
import { delegate, done } from "./steps.ts";
import { claude, codex, streamAgent, type StreamAction } from "./stream-agent.ts";

async function runStory(runtime: TestRuntime, id: string, story: object) {
  return runtime.engine.whenEnded(await runtime.engine.openStory({ id, title: id, ...story }));
}

const ends = (...actions: readonly StreamAction[]): readonly StreamAction[] => [
  ...actions,
  { done: "Did it. All of it." },
];

describe.concurrent("an agent's usage", () => {
  it("is booked live at list price and settled by the agent's own dollars, with both reported (R102)", async ({
    open,
  }) => {
    const runtime = await open();
    const booking = runtime.signal("booked");
    const agent = streamAgent(runtime.project, "claude", [
      ends(
        claude.begin(),
        { steps: claude.step(1000), everyMs: 50, most: 2 },
        { waitFor: booking },
        { steps: claude.step(1000), everyMs: 50, most: 1 },
        claude.end({ input: 3000, output: 150, usd: 0.012 }),
      ),
    ]);
    // It goes on only after something was booked while it ran.
    runtime.engine.tools.store.onEvent(({ type }) => {
      if (type === "usage-reported") writeFileSync(booking, "");
    });
    const ended = await runStory(runtime, "U1", { adapter: "claude", command: agent.command });
    expect(ended).toMatchObject({
      outcome: "completed",
      inputTokens: 3000,
      outputTokens: 150,
      microUsd: 12_000,
      estimated: false,
      compared: { reportedMicroUsd: 12_000, estimatedMicroUsd: 11_250 },
    });
    const booked = runtime.told("U1", "usage-reported");
    expect(booked[0]).toMatchObject({ model: "claude-sonnet-4-5", source: "estimated" });
    expect(booked.at(-1)).toMatchObject({ source: "reported", outputTokens: 150 });
    const story = await runtime.engine.tools.store.story("U1");
    if (story === undefined) throw new Error("no story");
    const report = buildCost(story, await runtime.engine.tools.store.storyTree("U1"));
    expect(buildCostDocument(report)).toMatchObject({
      total_cost_usd: 0.012,
      estimated: false,
      unpriced_tokens: 0,
      reconciliation: { reported_usd: 0.012, list_price_usd: 0.01125, difference_usd: 0.00075 },
    });
  });

  it("is booked once if a session continues after a stop that lost part of it", async ({
    onTestFinished,
  }) => {
    const project = makeProject();
    const agent = streamAgent(project, "claude", [
      [claude.begin(), { steps: claude.step(1000), everyMs: 20, most: 2 }, { waitFor: "/nowhere" }],
      ends(
        claude.begin(),
        { steps: claude.step(1000), everyMs: 20, most: 1 },
        claude.end({ input: 3000, output: 200, usd: 0.015 }),
      ),
    ]);
    const first = await openOn(project);
    await first.engine.openStory({ id: "U2", title: "U2", adapter: "claude", command: agent.command });
    const used = async (): Promise<number> => (await first.engine.read("U2")).inputTokens;
    await until("two steps are booked", async () => (await used()) === 2000);
    expect((await first.engine.read("U2")).microUsd).toBe(6000);
    await first.close();
    const runtime = useRuntime(project, await openOn(project));
    onTestFinished(() => runtime.close());
    const ended = await runtime.engine.whenEnded("U2");
    expect(ended).toMatchObject({
      outcome: "completed",
      inputTokens: 3000,
      outputTokens: 200,
      microUsd: 15_000,
    });
    expect(agent.runs()[1]).toContain("--resume session-1");
  });

  it("is priced by the requested model if the agent names none", async ({ open }) => {
    const runtime = await open();
    const agent = streamAgent(runtime.project, "codex", [ends(codex.begin, codex.end(3000, 600, 150))]);
    const story = { adapter: "codex", command: agent.command, model: "gpt-5.3-codex" };
    expect(await runStory(runtime, "U6", story)).toMatchObject({
      inputTokens: 2400,
      cachedTokens: 600,
      outputTokens: 150,
      // 1.75, 0.175 and 14 dollars for a million of each.
      microUsd: 6405,
      estimated: true,
      unpricedTokens: 0,
    });
  });

  it("counts in tokens without dollars for an unknown model, and a single note says so", async ({ open }) => {
    const runtime = await open();
    const agent = streamAgent(runtime.project, "unknown", [
      ends(
        claude.begin(),
        { steps: claude.step(100, "mock-1"), everyMs: 30, most: 3 },
        {
          print: {
            type: "result",
            subtype: "success",
            is_error: false,
            result: "x",
            usage: { input_tokens: 300 },
          },
        },
      ),
    ]);
    const ended = await runStory(runtime, "U3", {
      adapter: "claude",
      command: agent.command,
      budgetMicroUsd: 1000,
    });
    expect(ended).toMatchObject({ outcome: "completed", inputTokens: 300, microUsd: 0, unpricedTokens: 300 });
    const notes = runtime.told("U3", "note-added").filter(({ text }) => text.includes("No price is known"));
    expect(notes).toStrictEqual([
      {
        text: "No price is known for the model mock-1: its tokens count, its dollars do not. A budget in dollars cannot limit it; one in tokens can.",
      },
    ]);
  });

  it("raises one alert per story, whichever worker crosses the threshold (R107)", async ({ open }) => {
    const runtime = await open("delegation:\n  cost:\n    alertThreshold: 0.01\n");
    const total = { input: 1000, output: 100, usd: 0.02 };
    const worker = streamAgent(runtime.project, "dear", [
      ends(claude.begin(), { steps: claude.step(1000), everyMs: 20, most: 1 }, claude.end(total)),
    ]);
    runtime.project.write(
      ".ambit/agents/dear.md",
      `---\nname: dear\nadapter: claude\ncommand: ${JSON.stringify(worker.command)}\n---\n`,
    );
    const task = { description: "Dear", agent: "dear" };
    await runtime.run("U4", { begin: [delegate([task, task, task])], results: [done()] });
    const alerts = runtime.events.filter(({ type }) => type === "limit-warned");
    expect(alerts).toMatchObject([{ data: { code: "COST_ALERT" } }]);
    expect((await runtime.read("U4")).money.spent).toBe(60_000);
  });

  it("needs approval before the start if it may exceed the threshold (R107)", async ({ open }) => {
    const runtime = await open("delegation:\n  cost:\n    autoApproveThreshold: 0.01\n");
    const total = { input: 1000, output: 100, usd: 0.02 };
    const worker = streamAgent(runtime.project, "dear", [
      ends(claude.begin(), { steps: claude.step(1000), everyMs: 20, most: 1 }, claude.end(total)),
    ]);
    runtime.project.write(
      ".ambit/agents/dear.md",
      `---\nname: dear\nadapter: claude\ncommand: ${JSON.stringify(worker.command)}\n---\n`,
    );
    const task = { description: "Dear", agent: "dear", budget_usd: 0.05 };
    const story = runtime.run("U5", { begin: [delegate([task])], results: [done()] });
    const asked = await runtime.question();
    expect(asked).toMatchObject({ kind: "cost", question: "It may cost up to $0.05. Start it?" });
    expect(worker.runs()).toHaveLength(0);
    await runtime.engine.answer(asked.id, { answer: "approved", by: "ann", reason: "" });
    await story;
    expect(await runtime.read("U5-DEL-001")).toMatchObject({ outcome: "completed", microUsd: 20_000 });
    expect(worker.runs()[0]).toContain("--max-budget-usd 0.050000");
  });
});
