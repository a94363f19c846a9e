import type { DefinitionFolder } from "./folders.ts";

const LIMITS = "ambit bounds time, money and depth itself";
const PLACE = "a worker may edit and run what it likes, in a workspace of its own";
const SERVERS = "a worker gets ambit's own MCP server and no other";
const LOOKS = "only shown by its own tool";
const EVERYONE = "any agent can be a worker here";
const SAMPLING = "its program has no flag for it";
const SETTINGS = "not passed on to its program yet";

/** Fields that do nothing here, by tool, and why. */
const ignoredFields: Readonly<Record<DefinitionFolder["source"], Readonly<Record<string, string>>>> = {
  ambit: {},
  claude: {
    permissionMode: PLACE,
    maxTurns: LIMITS,
    skills: SETTINGS,
    mcpServers: SERVERS,
    hooks: SETTINGS,
    memory: SETTINGS,
    background: "every worker runs beside its manager",
    effort: SETTINGS,
    initialPrompt: "the task is the first prompt",
    color: LOOKS,
  },
  opencode: {
    mode: EVERYONE,
    temperature: SAMPLING,
    top_p: SAMPLING,
    steps: LIMITS,
    maxSteps: LIMITS,
    permission: PLACE,
    hidden: LOOKS,
    color: LOOKS,
    options: SETTINGS,
    variant: SETTINGS,
  },
  gemini: {
    display_name: LOOKS,
    temperature: SAMPLING,
    max_turns: LIMITS,
    timeout_mins: LIMITS,
    mcp_servers: SERVERS,
    mcpServers: SERVERS,
  },
  codex: {
    nickname_candidates: LOOKS,
    model_reasoning_effort: SETTINGS,
    model_reasoning_summary: SETTINGS,
    model_verbosity: SETTINGS,
    sandbox_mode: PLACE,
    approval_policy: PLACE,
    web_search: SETTINGS,
    mcp_servers: SERVERS,
    skills: SETTINGS,
  },
};

/** Why a field that was not read does nothing. */
export function whyIgnored(source: DefinitionFolder["source"], field: string): string {
  const known = Object.entries(ignoredFields[source]).find(([name]) => name === field);
  return known?.[1] ?? "nobody here knows this field";
}
