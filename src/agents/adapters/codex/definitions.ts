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
