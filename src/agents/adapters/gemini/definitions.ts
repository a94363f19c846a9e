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
