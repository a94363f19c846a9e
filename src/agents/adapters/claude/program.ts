import type { AgentAdapter } from "../../adapter-types/agent-adapter.ts";
import type { AgentProgram } from "../../adapter-types/agent-program.ts";
import { buildClaude } from "./build.ts";
import { claudeCarriers, claudeDefinitions } from "./definitions.ts";
import { claudeMcpClient } from "./mcp-client.ts";
import { parseClaude } from "./parse.ts";
import { claudeProbe } from "./probe.ts";
import { findClaudeAddress } from "./provider.ts";
import { settleClaude } from "./settle.ts";

/** Claude Code, driven by `claude -p` with its event stream. */
export const claudeAdapter: AgentAdapter = {
  name: "claude",
  provider: "anthropic",
  capabilities: {
    mcp: true,
    resume: true,
    liveUsage: true,
    windDown: false,
    repair: true,
    tools: true,
    dollars: true,
    toolPrefix: "mcp__ambit__",
  },
  build: buildClaude,
  parse: parseClaude,
  settle: settleClaude,
};

export const claudeProgram: AgentProgram = {
  adapter: claudeAdapter,
  title: "Claude Code",
  probe: claudeProbe,
  definitions: claudeDefinitions,
  models: {
    family: { name: "anthropic", pattern: /^(?:claude|sonnet|opus|haiku|anthropic)/ },
    providerNames: ["claude", "claude-code", "anthropic"],
    // It takes `opus`, not `claude-opus`; full names keep their prefix.
    shortenModel: (model) => /^claude-(haiku|sonnet|opus)$/.exec(model.toLowerCase())?.[1] ?? model,
  },
  mcpClient: claudeMcpClient,
  acp: {
    names: ["claude-agent-acp", "claude-code-acp"],
    arguments: [],
    pass: ["ANTHROPIC_*", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_EXECUTABLE"],
    usage: "end",
    hidesRequests: true,
    hosts: ["api.anthropic.com", "platform.claude.com", "console.anthropic.com"],
    ownAgents: { tools: ["agent", "task", "workflow"], isSwitchedOff: true },
    sessionSettings: {
      claudeCode: {
        options: {
          disallowedTools: ["Agent", "Task", "Workflow", "SendMessage", "CronCreate", "ToolSearch"],
        },
      },
    },
    // Otherwise our server's tools are hidden behind a search that the model may never make.
    environment: { ENABLE_TOOL_SEARCH: "false" },
    findProviderAddress: findClaudeAddress,
  },
  findProviderAddress: findClaudeAddress,
  telemetryProvider: "anthropic",
  settingsPaths: ["**/.claude", "**/.claude-plugin"],
  carriers: claudeCarriers,
  instructionFiles: ["CLAUDE.md", "CLAUDE.local.md"],
};
