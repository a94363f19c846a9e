import type { Carrier } from "../../adapter-types/carrier.ts";
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
  agentFolders: [
    { path: ".claude/agents", extension: ".md", isNamedByFile: false, levels: 3 },
    // Where projects with an orchestrator of their own keep its workers.
    { path: ".claude/agent/subagents", extension: ".md", isNamedByFile: true, levels: 3 },
  ],
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

const SETTINGS = "code.claude.com/docs/en/settings";

/** A worker may use its tools anyway, so permissions give a project nothing. */
const HARMLESS: readonly string[] = [
  "$schema",
  "permissions",
  "model",
  "outputStyle",
  "includeCoAuthoredBy",
  "attribution",
  "cleanupPeriodDays",
  "alwaysThinkingEnabled",
  "spinnerTipsEnabled",
];

export const claudeCarriers: readonly Carrier[] = [
  ...[".claude/settings.json", ".claude/settings.local.json"].map((path): Carrier => ({
    path,
    kind: "fields",
    what: "hooks, helpers, variables, plugins",
    source: SETTINGS,
    harmless: HARMLESS,
  })),
  { path: ".claude/agents", kind: "folder", what: "agents", source: "code.claude.com/docs/en/sub-agents" },
  { path: ".claude/agent", kind: "folder", what: "agents", source: "code.claude.com/docs/en/sub-agents" },
  {
    path: ".claude/commands",
    kind: "folder",
    what: "commands",
    source: "code.claude.com/docs/en/slash-commands",
  },
  {
    path: ".claude/command",
    kind: "folder",
    what: "commands",
    source: "code.claude.com/docs/en/slash-commands",
  },
  { path: ".claude/skills", kind: "folder", what: "skills", source: "code.claude.com/docs/en/skills" },
  { path: ".claude/hooks", kind: "folder", what: "hooks", source: "code.claude.com/docs/en/hooks" },
  { path: ".claude/plugins", kind: "folder", what: "plugins", source: "code.claude.com/docs/en/plugins" },
];
