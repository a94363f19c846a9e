import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect } from "vitest";
import { openProjectRuntime } from "../../../src/supervisor/project-runtime.ts";
import { makeProject } from "../../e2e/project.ts";
import { it, runtimeOptions, useRuntime, type TestRuntime } from "../../orchestrator/open-runtime.ts";

interface AcpStory {
  readonly id: string;
  readonly title: string;
  readonly adapter: string;
  readonly command?: readonly string[];
}

/** A scenario for the fake agent, and the story fields that use it. */
function acpStory({ project }: TestRuntime, name: string, scenario: object): AcpStory {
  const folder = dirname(project.root);
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify({ log: join(folder, `${name}.jsonl`), ...scenario }));
  return {
    id: name,
    title: name,
    adapter: "acp",
    command: [process.execPath, resolve("test/agents/acp/fake-agent.mjs"), file],
  };
}

const done = { status: "completed", summary: "Wrote b.txt." };

it("runs a story, merges its work, books its usage and records the agent's session", async ({ open }) => {
  const runtime = await open();
  const usage = { inputTokens: 100, outputTokens: 20, totalTokens: 120 };
  const cost = {
    update: { sessionUpdate: "usage_update", used: 1, size: 2, cost: { amount: 0.25, currency: "USD" } },
  };
  const story = acpStory(runtime, "A-1", {
    turns: [
      [
        { write: { path: "b.txt", text: "two\n" } },
        { returns: done },
        cost,
        { result: { stopReason: "end_turn", usage } },
      ],
    ],
  });
  const ended = await runtime.engine.whenEnded(await runtime.engine.openStory(story));
  expect(ended).toMatchObject({ outcome: "completed", agentSession: "session-1" });
  expect(runtime.file(runtime.ref("refs/heads/ambit/A-1"), "b.txt")).toBe("two\n");
  expect(ended.money.spent).toBe(250_000);
  expect(ended.tokens.spent).toBe(120);
});

it("asks for a better return in the same session (repair)", async ({ open }) => {
  const runtime = await open();
  const story = acpStory(runtime, "A-2", {
    initialize: { agentCapabilities: { loadSession: true } },
    history: [{ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "old" } }],
    turns: [[{ returns: { status: "dancing", summary: "?" } }]],
  });
  const ended = await runtime.engine.whenEnded(await runtime.engine.openStory(story));
  expect(ended.attempt).toBeGreaterThan(1);
  const wire = runtime.text(join(dirname(runtime.project.root), "A-2.jsonl"));
  expect(wire.split('"session/new"')).toHaveLength(2);
  expect(wire).toContain('"session/load"');
  expect(runtime.output("A-2", 2)).not.toContain("old");
});

it("winds down when half of the budget is spent, and keeps the work", async ({ open }) => {
  const runtime = await open(
    "delegation:\n  cost:\n    perStoryUsd: 1\n  windDown:\n    softLimit: 0.5\n    graceSeconds: 10\n",
  );
  const cost = {
    update: { sessionUpdate: "usage_update", used: 1, size: 2, cost: { amount: 0.6, currency: "USD" } },
  };
  const part = { status: "partial", summary: "Wrote b.txt; the rest is not done.", errors: [OPEN_END] };
  const story = acpStory(runtime, "A-3", {
    turns: [[{ write: { path: "b.txt", text: "half\n" } }, cost, { untilCancel: true }], [{ returns: part }]],
  });
  const refused = { code: "BUDGET_UNMETERED" };
  await expect(runtime.engine.openStory(story)).rejects.toMatchObject(refused);
  const allowed = { ...story, allowUnmetered: true };
  const ended = await runtime.engine.whenEnded(await runtime.engine.openStory(allowed));
  const wire = runtime.text(join(dirname(runtime.project.root), "A-3.jsonl"));
  expect(wire).toContain('"session/cancel"');
  expect(wire.split('"session/prompt"')).toHaveLength(3);
  expect(runtime.returnOf("A-3", 1)).toMatchObject({ status: "partial" });
  expect(ended).toMatchObject({ outcome: "partial", attempt: 1 });
  expect(ended.money.spent).toBe(600_000);
});

function toolCall(name: string, status: string): object {
  return {
    update: { sessionUpdate: "tool_call", toolCallId: `call of ${name}`, title: name, kind: "other", status },
  };
}

it("stops only an agent that starts agents of its own", async ({ open }) => {
  const runtime = await open();
  const half = { write: { path: "b.txt", text: "half\n" } };
  const wait = { untilCancel: true };
  for (const [id, name] of [
    ["O-1", "Agent"],
    ["O-2", "spawn_subagent"],
    ["O-3", "Task: find it"],
  ] as const) {
    const story = acpStory(runtime, id, { turns: [[half, toolCall(name, "in_progress"), wait]] });
    const ended = await runtime.engine.whenEnded(await runtime.engine.openStory(story));
    expect(ended).toMatchObject({ outcome: "partial", code: "AGENT_STARTED_AGENTS", attempt: 1 });
    expect(runtime.file(runtime.ref(`refs/heads/delegation/${id}`), "b.txt")).toBe("half\n");
  }
  const others = ["mcp__ambit__delegate", "task_list", "Read the task", "ambit: delegate"];
  const calls = others.map((name) => toolCall(name, "completed"));
  const story = acpStory(runtime, "O-4", { turns: [[half, ...calls, { returns: done }]] });
  const ended = await runtime.engine.whenEnded(await runtime.engine.openStory(story));
  expect(ended).toMatchObject({ outcome: "completed", code: null });
});

it("stops an agent that repeats a call whose input it shows only later", async ({ open }) => {
  const runtime = await open();
  const calls = Array.from({ length: 40 }, (_, index) => {
    const update = { toolCallId: `call-${index}`, title: "Bash", kind: "execute" };
    return [
      { update: { ...update, sessionUpdate: "tool_call", rawInput: {} } },
      { update: { ...update, sessionUpdate: "tool_call_update", rawInput: { command: "ls" } } },
      { update: { ...update, sessionUpdate: "tool_call_update", status: "completed" } },
    ];
  });
  const story = acpStory(runtime, "O-5", { turns: [[...calls.flat(), { untilCancel: true }]] });
  const ended = await runtime.engine.whenEnded(await runtime.engine.openStory(story));
  expect(ended).toMatchObject({ code: "AGENT_LOOPED", attempt: 1 });
});

it("starts an agent by its name, and that agent refuses to start others", async ({ onTestFinished }) => {
  const project = makeProject();
  const bin = join(dirname(project.root), "bin");
  const options = runtimeOptions(project);
  const environment = { ...options.environment, PATH: `${bin}:${options.environment.PATH ?? ""}` };
  const nothing = (): void => undefined;
  const opened = { ...options, environment, onQuiet: nothing, onShutdown: nothing };
  const runtime = useRuntime(project, await openProjectRuntime(opened));
  onTestFinished(() => runtime.close());
  const { command = [], ...story } = acpStory(runtime, "A-4", { turns: [[{ returns: done }]] });
  mkdirSync(bin);
  writeFileSync(join(bin, "qwen"), `#!/bin/sh\nexec '${command.join("' '")}' "$@"\n`);
  chmodSync(join(bin, "qwen"), 0o755);
  const ended = await runtime.engine.whenEnded(
    await runtime.engine.openStory({ ...story, command: ["qwen", "--acp"] }),
  );
  expect(existsSync(join(project.root, ".git/ambit/shims/qwen"))).toBe(true);
  expect(ended.outcome).toBe("completed");
  const wire = runtime.text(join(dirname(project.root), "A-4.jsonl"));
  expect(wire).toContain('"arguments":["--acp","--approval-mode"');
});

const OPEN_END = {
  type: "timeout",
  code: "TIMEOUT",
  message: "The budget ran out.",
  recoverable: true,
  recommendation: "Give it more.",
};
