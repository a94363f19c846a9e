import type { Carrier } from "../../adapter-types/carrier.ts";
import { fieldReasons, type ProgramDefinitions } from "../../adapter-types/agent-program.ts";

export const geminiDefinitions: ProgramDefinitions = {
  agentFolders: [{ path: ".gemini/agents", extension: ".md", isNamedByFile: false, levels: 0 }],
  commandFolders: [],
  precedence: 3,
  ignoredFields: {
    display_name: fieldReasons.looks,
    temperature: fieldReasons.sampling,
    max_turns: fieldReasons.limits,
    timeout_mins: fieldReasons.limits,
    mcp_servers: fieldReasons.servers,
    mcpServers: fieldReasons.servers,
  },
  honouredFields: { kind: "it runs here" },
  findProblem: ({ kind }) =>
    kind === "remote" ? "its agent runs on another machine, where Ambit cannot limit it" : undefined,
};

const SOURCE = "geminicli.com/docs/reference/configuration";

export const geminiCarriers: readonly Carrier[] = [
  {
    path: ".gemini/settings.json",
    kind: "fields",
    what: "MCP servers, hooks, tool commands",
    source: SOURCE,
    harmless: ["$schema", "ui", "theme"],
  },
  { path: ".gemini/.env", kind: "file", what: "variables", source: SOURCE },
  {
    path: ".env",
    kind: "variables",
    what: "addresses of providers, options of Node",
    source: SOURCE,
    // Others are the project's own, and people have such a file in most projects.
    names: [
      "AMBIT_TRUST",
      "CODE_ASSIST_ENDPOINT",
      "GEMINI_CLI_HOME",
      "GEMINI_CLI_SYSTEM_SETTINGS_PATH",
      "GEMINI_SANDBOX",
      "GEMINI_SYSTEM_MD",
      "GOOGLE_GEMINI_BASE_URL",
      "GOOGLE_VERTEX_BASE_URL",
      "HTTPS_PROXY",
      "HTTP_PROXY",
      "NODE_EXTRA_CA_CERTS",
      "NODE_OPTIONS",
      "OPENAI_BASE_URL",
    ],
  },
  { path: ".gemini/agents", kind: "folder", what: "agents", source: SOURCE },
  { path: ".gemini/commands", kind: "folder", what: "commands", source: SOURCE },
  { path: ".gemini/extensions", kind: "folder", what: "extensions", source: SOURCE },
  { path: ".gemini/hooks", kind: "folder", what: "hooks", source: SOURCE },
  { path: ".gemini/policies", kind: "folder", what: "which commands need no question", source: SOURCE },
  { path: ".gemini/skills", kind: "folder", what: "skills", source: SOURCE },
];
