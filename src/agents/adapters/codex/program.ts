import type { AgentAdapter } from "../../adapter-types/agent-adapter.ts";
import type { AgentProgram } from "../../adapter-types/agent-program.ts";
import { buildCodex } from "./build.ts";
import { codexCarriers, codexDefinitions } from "./definitions.ts";
import { codexMcpClient } from "./mcp-client.ts";
import { parseCodex } from "./parse.ts";
import { codexProbe } from "./probe.ts";
import { BRIDGE_VARIABLE, findBridgeAddress, findCodexAddress, listProviderVariables } from "./provider.ts";
import { settleCodex } from "./settle.ts";

/** Codex, driven by `codex exec --json`. It reports usage only when its turn ends. */
export const codexAdapter: AgentAdapter = {
  name: "codex",
  provider: "openai",
  capabilities: {
    mcp: true,
    resume: true,
    liveUsage: false,
    windDown: false,
    repair: true,
    toolPrefix: "mcp__ambit__",
  },
  build: buildCodex,
  parse: parseCodex,
  settle: settleCodex,
};

/** As `build.ts` has it on the command line; the bridge takes a variable. */
const WITHOUT_OWN_AGENTS = {
  features: { multi_agent: false, multi_agent_v2: false, goals: false, apps: false },
  agents: { enabled: false },
};

export const codexProgram: AgentProgram = {
  adapter: codexAdapter,
  title: "Codex",
  probe: codexProbe,
  definitions: codexDefinitions,
  models: {
    family: { name: "openai", pattern: /^(?:gpt|chatgpt|codex|openai|o\d)/ },
    providerNames: ["codex", "codex-cli", "openai", "chatgpt", "gpt"],
  },
  mcpClient: codexMcpClient,
  acp: {
    names: ["codex-acp"],
    arguments: [],
    pass: ["OPENAI_*", "CODEX_*"],
    findVariables: listProviderVariables,
    usage: "end",
    hosts: ["api.openai.com", "chatgpt.com", "auth.openai.com"],
    homeFolder: { variable: "CODEX_HOME", path: ".codex", files: ["config.toml", "auth.json"] },
    ownAgents: { tools: ["spawn_agent", "spawn_agents_on_csv", "collab"], isSwitchedOff: true },
    environment: { [BRIDGE_VARIABLE]: JSON.stringify(WITHOUT_OWN_AGENTS) },
    sandboxEnvironment: { INITIAL_AGENT_MODE: "agent-full-access" },
    findProviderAddress: findBridgeAddress,
  },
  findProviderAddress: (setup) => findCodexAddress(setup),
  telemetryProvider: "openai",
  settingsPaths: ["**/.codex"],
  carriers: codexCarriers,
  instructionFiles: [],
};
