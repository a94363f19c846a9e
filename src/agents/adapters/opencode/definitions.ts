import type { Carrier } from "../../adapter-types/carrier.ts";
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

const SOURCE = "opencode.ai/docs/config";

/** Both spellings of each folder are read. */
const FOLDERS = ["agent", "command", "plugin", "tool", "skill", "mode"].flatMap((name) => [name, `${name}s`]);

export const opencodeCarriers: readonly Carrier[] = [
  ...["opencode.json", ".opencode/opencode.json"].map((path): Carrier => ({
    path,
    kind: "fields",
    what: "MCP servers, plugins, providers, formatters",
    source: SOURCE,
    harmless: ["$schema", "theme", "model", "small_model", "username"],
  })),
  ...["opencode.jsonc", ".opencode/opencode.jsonc"].map((path): Carrier => ({
    path,
    kind: "file",
    what: "MCP servers, plugins, providers, formatters",
    source: SOURCE,
  })),
  ...FOLDERS.map((name): Carrier => ({
    path: `.opencode/${name}`,
    kind: "folder",
    what: name,
    source: SOURCE,
  })),
];
