import type { Carrier } from "../../adapter-types/carrier.ts";
import { fieldReasons, type ProgramDefinitions } from "../../adapter-types/agent-program.ts";

const INSTRUCTIONS_FIELD = "developer_instructions";

export const codexDefinitions: ProgramDefinitions = {
  agentFolders: [{ path: ".codex/agents", extension: ".toml", isNamedByFile: false, levels: 1 }],
  commandFolders: [],
  precedence: 4,
  ignoredFields: {
    nickname_candidates: fieldReasons.looks,
    model_reasoning_effort: fieldReasons.settings,
    model_reasoning_summary: fieldReasons.settings,
    model_verbosity: fieldReasons.settings,
    sandbox_mode: fieldReasons.place,
    approval_policy: fieldReasons.place,
    web_search: fieldReasons.settings,
    mcp_servers: fieldReasons.servers,
    skills: fieldReasons.settings,
  },
  honouredFields: { [INSTRUCTIONS_FIELD]: "its first instructions" },
  instructionsField: INSTRUCTIONS_FIELD,
};

const SOURCE = "developers.openai.com/codex/config-reference";

export const codexCarriers: readonly Carrier[] = [
  { path: ".codex/config.toml", kind: "file", what: "MCP servers, notify, providers", source: SOURCE },
  { path: ".codex/hooks.json", kind: "fields", what: "hooks", source: SOURCE, harmless: ["$schema"] },
  { path: ".codex/hooks", kind: "folder", what: "hooks", source: SOURCE },
  { path: ".codex/agents", kind: "folder", what: "agents", source: SOURCE },
  { path: ".codex/prompts", kind: "folder", what: "commands", source: SOURCE },
  { path: ".codex/rules", kind: "folder", what: "which commands need no question", source: SOURCE },
  { path: ".codex/skills", kind: "folder", what: "skills", source: SOURCE },
];
