import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { RunSpec } from "../../../src/agents/adapter-types/agent-adapter.ts";
import { acpAdapter } from "../../../src/agents/adapters/acp/adapter.ts";
import { specOf } from "./run-client.ts";

const adapter = acpAdapter(["node", "ambit.js", "__acp"]);
const mcp = { command: "node", arguments: ["ambit.js", "mcp"], environment: { AMBIT_TOKEN: "secret" } };
const launchSchema = z.looseObject({ command: z.array(z.string()), denied_tools: z.array(z.string()) });

function build(command: readonly string[], more: Partial<RunSpec> = {}) {
  return adapter.build({ ...specOf("/state/home"), command, ...more });
}

function commandFor(command: readonly string[], more: Partial<RunSpec> = {}): readonly string[] {
  return launchSchema.parse(JSON.parse(build(command, more).files?.[0]?.content ?? "")).command;
}

describe("building the command", () => {
  it("starts our client with one file that contains everything, and puts nothing else on the command line", () => {
    const built = build(["qwen", "--acp"], { mcp, prompt: "A long secret prompt" });
    expect(built.argv).toEqual(["node", "ambit.js", "__acp", "/state/home/acp-launch.json"]);
    expect(JSON.stringify(built.argv)).not.toContain("secret");
    expect(built.stdin).toBe("");
    expect(built.windDownInput).toBe('{"ambit":"wind-down"}\n');
    expect(JSON.parse(built.files?.[0]?.content ?? "")).toMatchObject({
      prompt: "A long secret prompt",
      mcp_servers: [{ name: "ambit", env: [{ name: "AMBIT_TOKEN", value: "secret" }] }],
    });
  });

  it("refuses a definition without a command", () => {
    for (const command of [[], [""]])
      expect(() => build(command)).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
  });

  it("makes Gemini trust a trusted project, because it would silently drop our MCP server otherwise", () => {
    const trusted = { isProjectTrusted: true };
    expect(commandFor(["gemini", "--acp"], trusted)).toEqual(["gemini", "--acp", "--skip-trust"]);
    expect(commandFor(["gemini", "--skip-trust", "--acp"], trusted)).toEqual([
      "gemini",
      "--skip-trust",
      "--acp",
    ]);
    expect(commandFor(["npx", "-y", "@google/gemini-cli@0.61.0", "--acp"], trusted).at(-1)).toBe(
      "--skip-trust",
    );
    expect(commandFor(["gemini", "--acp"])).toEqual(["gemini", "--acp"]);
    expect(build(["/opt/bin/gemini", "--acp"]).environment).toMatchObject({ GEMINI_CLI_NO_RELAUNCH: "true" });
  });

  it("passes our MCP server to Copilot as a file, because it ignores the one in the session", () => {
    const built = build(["copilot", "--acp"], { mcp });
    const command = commandFor(["copilot", "--acp"], { mcp });
    expect(command.slice(-2)).toEqual(["--additional-mcp-config", "@/state/home/acp-mcp.json"]);
    expect(built.files?.map(({ path }) => path)).toEqual(["acp-launch.json", "acp-mcp.json"]);
    expect(JSON.parse(built.files?.[1]?.content ?? "")).toMatchObject({
      mcpServers: { ambit: { command: "node", args: ["ambit.js", "mcp"], env: { AMBIT_TOKEN: "secret" } } },
    });
    const own = ["copilot", "--acp", "--additional-mcp-config={}"];
    expect(commandFor(own, { mcp })).not.toContain("@/state/home/acp-mcp.json");
    expect(commandFor(["copilot", "--acp"]).join(" ")).not.toContain("mcp-config");
  });

  it("switches off the agents' own ways to delegate", () => {
    const qwen = commandFor(["qwen", "--acp", "--approval-mode", "yolo"]);
    expect(qwen.slice(2, 6)).toEqual(["--approval-mode", "yolo", "--exclude-tools", "agent"]);
    expect(commandFor([...qwen])).toEqual(qwen);
    expect(commandFor(["copilot", "--acp"])).toContain("--excluded-tools=task");
    expect(build(["opencode", "acp"]).environment["OPENCODE_CONFIG_CONTENT"]).toContain('"task":"deny"');
    expect(JSON.stringify(build(["gemini", "--acp"]).files)).toContain("invoke_agent");
    const claude = build(["npx", "-y", "@agentclientprotocol/claude-agent-acp"]);
    const settings = {
      claudeCode: { options: { disallowedTools: expect.arrayContaining(["Agent", "Task"]) } },
    };
    expect(JSON.parse(claude.files?.[0]?.content ?? "")).toMatchObject({ session_settings: settings });
    const codex = JSON.parse(build(["codex-acp"]).environment["CODEX_CONFIG"] ?? "");
    expect(codex).toMatchObject({ features: { multi_agent: false }, agents: { enabled: false } });
    const launch = launchSchema.parse(JSON.parse(build(["other"]).files?.[0]?.content ?? ""));
    expect(launch.denied_tools).toEqual(expect.arrayContaining(["task", "agent", "spawn_agent"]));
    expect(launch.denied_tools).not.toContain("delegate");
  });

  it("passes the keys of the providers an agent uses, and of the usual ones if the provider is unknown", () => {
    const { pass } = build(["gemini", "--acp"]);
    expect(pass).toEqual(expect.arrayContaining(["GEMINI_API_KEY", "HTTPS_PROXY"]));
    expect(pass).not.toContain("OPENAI_API_KEY");
    expect(build(["unheard-of"]).pass).toEqual(
      expect.arrayContaining(["OPENAI_API_KEY", "ANTHROPIC_API_KEY"]),
    );
  });
});

describe("our MCP server", () => {
  const servers = (command: readonly string[]): string =>
    JSON.stringify(
      z
        .looseObject({ mcp_servers: z.unknown() })
        .parse(JSON.parse(build(command, { mcp }).files?.[0]?.content ?? "")).mcp_servers,
    );

  it("is passed with the session", () => {
    expect(servers(["qwen", "--acp"])).toContain('"name":"ambit"');
  });

  it("is not hidden behind Qwen's tool search", () => {
    expect(commandFor(["qwen", "--acp"])).toContain("tool_search");
  });

  it("is passed only through the settings if only those allow calls that last hours", () => {
    const hours = String(24 * 60 * 60 * 1000);
    expect(build(["copilot", "--acp"], { mcp }).files?.[1]?.content).toContain(hours);
    for (const command of [
      ["gemini", "--acp"],
      ["opencode", "acp"],
    ]) {
      const { environment, files = [] } = build(command, { mcp });
      const told = JSON.stringify([environment, files.slice(1)]);
      expect(told).toContain("secret");
      expect(told).toContain(hours);
      expect(servers(command)).toBe("[]");
    }
  });
});

describe("settling", () => {
  const settle = (code: number | null, ...lines: readonly string[]) =>
    adapter.settle(
      { code, signal: code === null ? "SIGKILL" : null },
      lines.flatMap((line) => adapter.parse(line)),
    );
  const final = (fields: object): string =>
    JSON.stringify({ acp: "final", ok: false, reason: "end_turn", message: "m", text: "t", ...fields });

  it("never treats an exit code as a verdict", () => {
    expect(settle(0)).toMatchObject({ ok: false, code: "AGENT_STREAM_BROKEN" });
    expect(settle(0, '{"acp":"text","text":"bye"}')).toMatchObject({ ok: false, finalText: "bye" });
    expect(settle(null)).toMatchObject({ ok: false, reason: expect.stringContaining("SIGKILL") });
    // The client was killed while it waited for the agent to exit. It had printed its verdict before.
    expect(settle(null, final({ ok: true }))).toMatchObject({ ok: true, finalText: "t" });
  });

  it("reads our error codes from the reason and accepts no other word as a code", () => {
    expect(settle(1, final({ reason: "AGENT_NOT_LOGGED_IN", message: "Log in" }))).toEqual({
      ok: false,
      finalText: "t",
      reason: "AGENT_NOT_LOGGED_IN: Log in",
      code: "AGENT_NOT_LOGGED_IN",
    });
    expect(settle(1, final({ reason: "ODD_WORD" })).code).toBeUndefined();
    expect(settle(1, final({ reason: "PROVIDER_FAILED", message: "prompt is too long" }))).toMatchObject({
      exhausted: true,
    });
  });
});
