import type { AgentAdapter } from "../../adapter-types/agent-adapter.ts";
import type { AgentProgram } from "../../adapter-types/agent-program.ts";
import { buildOpencode } from "./build.ts";
import { opencodeCarriers, opencodeDefinitions } from "./definitions.ts";
import { opencodeMcpClient } from "./mcp-client.ts";
import { parseOpencode } from "./parse.ts";
import { findOpencodeAddresses } from "./provider.ts";
import { opencodeProbe } from "./probe.ts";
import { settleOpencode } from "./settle.ts";

/** OpenCode, driven by `opencode run --format json`. */
export const opencodeAdapter: AgentAdapter = {
  name: "opencode",
  provider: "opencode",
  capabilities: {
    mcp: true,
    resume: true,
    liveUsage: true,
    windDown: false,
    repair: true,
    dollars: true,
    toolPrefix: "ambit_",
  },
  build: buildOpencode,
  parse: parseOpencode,
  settle: settleOpencode,
};

export const opencodeProgram: AgentProgram = {
  adapter: opencodeAdapter,
  title: "OpenCode",
  probe: opencodeProbe,
  definitions: opencodeDefinitions,
  models: { providerNames: ["opencode"] },
  mcpClient: opencodeMcpClient,
  acp: {
    names: ["opencode", "opencode-ai"],
    arguments: [],
    pass: [],
    buildSettings: buildOpencode,
    usage: "live",
    findAddresses: findOpencodeAddresses,
    ownAgents: { tools: ["task"], isSwitchedOff: true },
  },
  settingsPaths: ["**/.opencode", "**/opencode.{json,jsonc}"],
  carriers: opencodeCarriers,
  instructionFiles: [],
};
