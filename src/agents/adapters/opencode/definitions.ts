import { fieldReasons, type ProgramDefinitions } from "../../adapter-types/agent-program.ts";

export const opencodeDefinitions: ProgramDefinitions = {
  agentFolders: [
    { path: ".opencode/agents", extension: ".md", isNamedByFile: true, levels: 3 },
    { path: ".opencode/agent", extension: ".md", isNamedByFile: true, levels: 3 },
  ],
  commandFolders: [".opencode/command", ".opencode/commands"],
  precedence: 2,
  ignoredFields: {
    mode: fieldReasons.everyone,
    temperature: fieldReasons.sampling,
    top_p: fieldReasons.sampling,
    steps: fieldReasons.limits,
    maxSteps: fieldReasons.limits,
    permission: fieldReasons.place,
    hidden: fieldReasons.looks,
    color: fieldReasons.looks,
    options: fieldReasons.settings,
    variant: fieldReasons.settings,
  },
  honouredFields: {},
};
