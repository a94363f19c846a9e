import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { acpAdapter } from "../../src/agents/adapters/acp/adapter.ts";
import { commandAdapter } from "../../src/agents/adapters/command/adapter.ts";
import { findCapabilities } from "../../src/agents/find-capabilities.ts";
import { describeBounds, findWorkerAgents, startsOwnAgent } from "../../src/agents/own-agents.ts";

const adapter = acpAdapter(["ambit", "__acp"]);
const work = {
  agent: "a",
  prompt: "",
  attempt: 1,
  turn: "begin",
  returnFile: "/r/return.json",
  handoverFile: "/r/handover.md",
  agentHome: "/h",
  userHome: "/u",
} as const;

it.each([
  [["kimi", "acp"], "AgentSwarm", true],
  [["kimi", "acp"], "task", false],
  [["goose", "acp"], "delegate", true],
  [["goose", "acp"], "ambit__delegate", false],
  [["grok", "agent", "stdio"], "spawn_subagent", true],
  [["unknown"], "Task", true],
  [["unknown"], "delegate", false],
])("knows whether %j starts an agent with %s", (command, tool, starts) => {
  const own = findWorkerAgents("acp", command);
  expect(own !== undefined && startsOwnAgent(own, tool)).toBe(starts);
});

it.each([
  [["kimi", "acp"], 2],
  [["goose", "acp"], 2],
  [["unknown"], 2],
  [["pi-acp"], 1],
  [["qwen", "--acp"], 1],
  [["opencode", "acp"], 0],
  [["npx", "@agentclientprotocol/claude-agent-acp"], 0],
])("warns before %j starts which limits cannot be enforced", (command, count) => {
  const home = "/nowhere";
  expect(describeBounds(adapter, { environment: {}, home, command })).toHaveLength(count);
});

it("gives an agent without MCP no server, and tells it so", () => {
  expect(findCapabilities(adapter, ["pi-acp"]).mcp).toBe(false);
  expect(findCapabilities(adapter, ["qwen", "--acp"]).mcp).toBe(true);
});

it("passes its provider's keys to a known agent driven as a program, and no keys to any other program", () => {
  const build = (...command: string[]) =>
    commandAdapter.build({
      ...work,
      command,
    }).pass;
  expect(build("/usr/bin/pi", "-p")).toEqual(expect.arrayContaining(["ANTHROPIC_API_KEY", "PI_*"]));
  expect(build("sh", "fix.sh")).toBeUndefined();
});

it("gives a bridge the full path of the agent that it starts", () => {
  const folder = mkdtempSync(join(tmpdir(), "ambit-bridge-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "pi"), "#!/bin/sh\n", { mode: 0o755 });
  const spec = {
    ...work,
    command: ["pi-acp"],
  } as const;
  const found = adapter.build({ ...spec, userEnvironment: { PATH: folder } });
  expect(found.environment).toEqual({ PI_ACP_PI_COMMAND: join(folder, "pi") });
  expect(adapter.build({ ...spec, userEnvironment: { PATH: "/nowhere" } }).environment).toEqual({});
});

it.each([
  {
    name: "acp",
    command: ["qwen", "--acp"],
    variable: "QWEN_HOME",
    folder: "/h/.qwen",
    file: "/u/.qwen/settings.json",
  },
  {
    name: "command",
    command: ["pi", "-p", "--mode", "json"],
    variable: "PI_CODING_AGENT_DIR",
    folder: "/h/.pi/agent",
    file: "/u/.pi/agent/auth.json",
  },
])(
  "copies the settings and the login of $command only into a sandbox",
  ({ command, variable, ...expected }) => {
    const spec = { ...work, command };
    const chosen = expected.name === "acp" ? adapter : commandAdapter;
    const inside = chosen.build({ ...spec, sandboxed: true });
    expect(inside.environment[variable]).toBe(expected.folder);
    expect(inside.copies?.map(({ from }) => from)).toContain(expected.file);
    const outside = chosen.build(spec);
    expect(outside.environment[variable]).toBeUndefined();
    expect(outside.copies ?? []).toEqual([]);
  },
);

it("disables the sandbox of Codex's bridge only inside ours, where it could not start", () => {
  const spec = { ...work, command: ["codex-acp"] };
  const inside = adapter.build({ ...spec, sandboxed: true });
  expect(inside.environment["INITIAL_AGENT_MODE"]).toBe("agent-full-access");
  expect(adapter.build(spec).environment["INITIAL_AGENT_MODE"]).toBeUndefined();
});

it("stops a program that prints its calls after an extension's tool has started an agent", () => {
  const own = findWorkerAgents("command", ["pi", "-p", "--mode", "json"]);
  expect(own !== undefined && startsOwnAgent(own, "subagent")).toBe(true);
  expect(findWorkerAgents("command", ["sh", "fix.sh"])).toBeUndefined();
});

it("starts an agent in a sandbox by the file its name resolves to, and names that file", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ambit-agent-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "qwen.js"), "#!/bin/sh\n", { mode: 0o755 });
  symlinkSync(join(folder, "qwen.js"), join(folder, "qwen"));
  const spec = {
    ...work,
    userEnvironment: { PATH: folder },
    command: ["qwen", "--acp"],
  } as const;
  const launched = (sandboxed: boolean) => {
    const { files = [], programs } = adapter.build({ ...spec, sandboxed });
    return { programs, command: JSON.parse(files[0]?.content ?? "{}").command[0] };
  };
  const file = join(folder, "qwen.js");
  expect(launched(true)).toEqual({ programs: [file], command: file });
  expect(launched(false)).toEqual({ programs: [], command: "qwen" });
});
