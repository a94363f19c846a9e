import type { AgentAdapter } from "../../adapter-types/agent-adapter.ts";
import type { AgentProgram } from "../../adapter-types/agent-program.ts";
import { buildGemini } from "./build.ts";
import { geminiCarriers, geminiDefinitions } from "./definitions.ts";
import { geminiMcpClient } from "./mcp-client.ts";
import { parseGemini } from "./parse.ts";
import { geminiProbe } from "./probe.ts";
import { findGeminiAddress } from "./provider.ts";
import { settleGemini } from "./settle.ts";

/** Gemini CLI, driven by `gemini -p` with its event stream. It reports usage only when it ends. */
export const geminiAdapter: AgentAdapter = {
  name: "gemini",
  provider: "google",
  capabilities: {
    mcp: true,
    resume: true,
    liveUsage: false,
    windDown: false,
    repair: true,
    toolPrefix: "mcp_ambit_",
  },
  build: buildGemini,
  parse: parseGemini,
  settle: settleGemini,
};

export const geminiProgram: AgentProgram = {
  adapter: geminiAdapter,
  title: "Gemini CLI",
  probe: geminiProbe,
  definitions: geminiDefinitions,
  models: {
    family: { name: "google", pattern: /^(?:gemini|gemma|google)/ },
    providerNames: ["gemini", "gemini-cli", "google"],
  },
  mcpClient: geminiMcpClient,
  acp: {
    names: ["gemini", "gemini-cli"],
    arguments: [],
    // Without it Gemini does not trust a new folder and silently drops our MCP server.
    trustArguments: [["--skip-trust"]],
    pass: [],
    buildSettings: buildGemini,
    usage: "end",
    hosts: ["generativelanguage.googleapis.com", "cloudcode-pa.googleapis.com", "oauth2.googleapis.com"],
    ownAgents: { tools: ["invoke_agent"], isSwitchedOff: true },
    findProviderAddress: findGeminiAddress,
  },
  findProviderAddress: findGeminiAddress,
  telemetryProvider: "gcp.gemini",
  settingsPaths: ["**/.gemini", "**/gemini-extension.json"],
  carriers: geminiCarriers,
  instructionFiles: ["GEMINI.md"],
};
