import { fieldReasons, type ProgramDefinitions } from "../../adapter-types/agent-program.ts";

/** Tools that start agents, run on a schedule or wait for people are left out: Ambit could not limit them. */
export const CLAUDE_WORKER_TOOLS: readonly string[] = [
  "Bash",
  "Read",
  "Edit",
  "Write",
  "NotebookEdit",
  "Grep",
  "Glob",
  "WebFetch",
  "WebSearch",
];

export const claudeDefinitions: ProgramDefinitions = {
  agentFolders: [{ path: ".claude/agents", extension: ".md", isNamedByFile: false, levels: 3 }],
  commandFolders: [".claude/commands", ".claude/command"],
  precedence: 1,
  ignoredFields: {
    permissionMode: fieldReasons.place,
    maxTurns: fieldReasons.limits,
    skills: fieldReasons.settings,
    mcpServers: fieldReasons.servers,
    hooks: fieldReasons.settings,
    memory: fieldReasons.settings,
    background: "every worker runs in parallel with its manager",
    effort: fieldReasons.settings,
    initialPrompt: "the task is the first prompt",
    color: fieldReasons.looks,
  },
  honouredFields: {},
  workerTools: CLAUDE_WORKER_TOOLS,
};
