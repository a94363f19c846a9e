import { describe, expect } from "vitest";
import { it } from "./open-runtime.ts";
import { done, waitFor } from "./steps.ts";
import { claude, codex, streamAgent } from "./stream-agent.ts";
import { until } from "../e2e/project.ts";

describe.concurrent("an agent that repeats the same call", () => {
  it("is warned, and stopped within 30 calls", { timeout: 60_000 }, async ({ open }) => {
    const runtime = await open("delegation:\n  maxTurns: null\n");
    const calls = { steps: codex.call, everyMs: 250 };
    const agent = streamAgent(runtime.project, "looper", [[codex.begin, calls]]);
    const story = { id: "L1", title: "Loop", adapter: "codex", command: agent.command };
    const ended = await runtime.engine.whenEnded(await runtime.engine.openStory(story));
    expect(ended).toMatchObject({ code: "AGENT_LOOPED", attempt: 1 });
    expect(agent.steps()).toBeGreaterThanOrEqual(25);
    expect(agent.steps()).toBeLessThanOrEqual(30);
    expect(runtime.told("L1", "limit-warned")).toMatchObject([{ code: "AGENT_LOOPED" }]);
  });

  const few = { steps: codex.call, everyMs: 5, most: 12 };
  const speech = {
    print: { type: "item.completed", item: { id: "m", type: "agent_message", text: "Stuck." } },
  };
  const over = codex.end(10, 0, 1);

  it.for([
    [
      "without a word and without a return, is called a loop",
      [few, over],
      { code: "AGENT_LOOPED", attempt: 1 },
    ],
    [
      "with a word, and again when it is asked for its return, is called a loop",
      [few, speech, over],
      { code: "AGENT_LOOPED", attempt: 2 },
    ],
    [
      "with a valid return, has done its work",
      [few, { done: "Looked often. Done." }, over],
      { outcome: "completed", attempt: 1 },
    ],
  ] as const)("and ends %s", { timeout: 60_000 }, async ([, actions, expected], { open }) => {
    const runtime = await open();
    const agent = streamAgent(runtime.project, "ender", [[codex.begin, ...actions]]);
    const story = { id: "L2", title: "Loop", adapter: "codex", command: agent.command };
    const ended = await runtime.engine.whenEnded(await runtime.engine.openStory(story));
    expect(ended).toMatchObject(expected);
  });

  const wait = {
    steps: {
      type: "item.started",
      item: { id: "#", type: "mcp_tool_call", server: "ambit", tool: "wait", arguments: { ids: [] } },
    },
    everyMs: 20,
  };

  it(
    "may repeat the call that waits for its workers, and is stopped if it has none",
    { timeout: 120_000 },
    async ({ open }) => {
      const runtime = await open();
      const [begun, held, ask] = [runtime.signal("begun"), runtime.signal("held"), runtime.signal("ask")];
      runtime.agent("helper", [waitFor(held), done()]);
      const ends = [codex.begin, { done: "Waited for it. Done." }, over];
      const patient = streamAgent(runtime.project, "patient", [
        [codex.begin, { touch: begun }, { waitFor: ask }, { ...wait, most: 60 }, ...ends],
        ends,
      ]);
      const how = { title: "Wait", adapter: "codex", command: patient.command };
      const id = await runtime.engine.openStory({ id: "L3", ...how });
      await until("it to begin", () => runtime.isOpen(begun));
      const tasks = [{ description: "Help", agent: "helper" }];
      await runtime.engine.delegate({ id, attempt: 1 }, { tasks });
      runtime.open(ask);
      await until("its calls", () => patient.steps() === 60);
      runtime.open(held);
      expect(await runtime.engine.whenEnded(id)).toMatchObject({ outcome: "completed" });
      const idle = streamAgent(runtime.project, "idle", [[codex.begin, { ...wait, everyMs: 250 }]]);
      const story = { id: "L4", ...how, command: idle.command };
      const ended = await runtime.engine.whenEnded(await runtime.engine.openStory(story));
      expect(ended).toMatchObject({ code: "AGENT_LOOPED", attempt: 1 });
      expect(idle.steps()).toBeLessThanOrEqual(40);
    },
  );
});

it("a CLI whose switch against agents of its own does not work is stopped after one has run", async ({
  open,
}) => {
  const runtime = await open();
  const call = { content: [{ type: "tool_use", id: "t-1", name: "Agent", input: { prompt: "Go" } }] };
  const result = (isError: boolean): object => ({
    content: [{ type: "tool_result", tool_use_id: "t-1", content: "x", is_error: isError }],
  });
  const end = async (id: string, isError: boolean): Promise<unknown> => {
    const agent = streamAgent(runtime.project, id, [
      [
        claude.begin(),
        { print: { type: "assistant", message: { id: "m-1", ...call }, parent_tool_use_id: null } },
        { print: { type: "user", message: result(isError), parent_tool_use_id: null } },
        { waitFor: isError ? "/" : runtime.signal("never") },
        { done: "Did it alone. Done." },
        claude.end({ input: 10, output: 1, usd: 0.01 }),
      ],
    ]);
    const story = { id, title: "Use agents", adapter: "claude", command: agent.command };
    return runtime.engine.whenEnded(await runtime.engine.openStory(story));
  };
  expect(await end("L5", false)).toMatchObject({ code: "AGENT_STARTED_AGENTS" });
  expect(await end("L6", true)).toMatchObject({ outcome: "completed" });
});
