import { mkdtempSync, writeFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { acpAdapter } from "../../src/agents/adapters/acp/adapter.ts";
import { commandAdapter } from "../../src/agents/adapters/command/adapter.ts";
import { findCapabilities } from "../../src/agents/find-capabilities.ts";
import { describeBounds, findWorkerAgents, startsOwnAgent } from "../../src/agents/own-agents.ts";

const adapter = acpAdapter(["ambit", "__acp"]);

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
])("says before %j works what no limit would hold", (command, count) => {
  const home = "/nowhere";
  expect(describeBounds(adapter, { environment: {}, home, command })).toHaveLength(count);
});

it("gives an agent without MCP no server, and tells it so", () => {
  expect(findCapabilities(adapter, ["pi-acp"]).mcp).toBe(false);
  expect(findCapabilities(adapter, ["qwen", "--acp"]).mcp).toBe(true);
});

it("passes a known agent that is driven as a program its provider's keys, and any other program none", () => {
  const build = (...command: string[]) =>
    commandAdapter.build({
      agent: "a",
      prompt: "",
      attempt: 1,
      turn: "begin",
      returnFile: "/r/return.json",
      handoverFile: "/r/handover.md",
      agentHome: "/h",
      userHome: "/u",
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
    agent: "pi",
    prompt: "",
    attempt: 1,
    turn: "begin",
    returnFile: "/r/return.json",
    handoverFile: "/r/handover.md",
    agentHome: "/h",
    userHome: "/u",
    command: ["pi-acp"],
  } as const;
  const found = adapter.build({ ...spec, userEnvironment: { PATH: folder } });
  expect(found.environment).toEqual({ PI_ACP_PI_COMMAND: join(folder, "pi") });
  expect(adapter.build({ ...spec, userEnvironment: { PATH: "/nowhere" } }).environment).toEqual({});
});
