import { join } from "node:path";
import type { BuiltRun, McpLaunch, RunSpec } from "../../adapter-types/agent-adapter.ts";
import { MAX_TOOL_CALL_MS, MCP_SERVER, NETWORK_NAMES, chooseProgram } from "../../stream-json/launch.ts";
import { PROVIDER_NAMES } from "../../stream-json/provider-names.ts";
import { findOpencodeFolders } from "./user-folders.ts";

const FOLDER = "opencode";

/**
 * A question would end the run as a success without a message, so everything is either allowed or denied.
 * `external_directory` is allowed because the return is outside the workspace.
 */
const PERMISSION = {
  "*": "allow",
  read: "allow",
  edit: "allow",
  bash: "allow",
  webfetch: "allow",
  external_directory: "allow",
  doom_loop: "allow",
  // Off, because Ambit could not limit its own agents.
  task: "deny",
  question: "deny",
  plan_enter: "deny",
} as const;

export function buildOpencode(spec: RunSpec): BuiltRun {
  const home = join(spec.agentHome, FOLDER);
  return {
    argv: [
      ...chooseProgram(spec, "opencode"),
      "run",
      "--format",
      "json",
      // Otherwise it asks a model for a title, and that usage is never reported.
      ...(spec.resumeSession === undefined ? ["--title", `ambit ${spec.agent}`] : []),
      ...(spec.model === undefined ? [] : ["--model", spec.model]),
      ...(spec.resumeSession === undefined ? [] : ["--session", spec.resumeSession]),
    ],
    environment: {
      XDG_CONFIG_HOME: join(home, "config"),
      XDG_DATA_HOME: join(home, "data"),
      XDG_STATE_HOME: join(home, "state"),
      XDG_CACHE_HOME: join(home, "cache"),
      OPENCODE_CONFIG_CONTENT: JSON.stringify(buildSettings(spec.mcp)),
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_SHARE: "1",
    },
    // On stdin, because OpenCode escapes quotes in a prompt argument.
    stdin: spec.prompt,
    pass: [...NETWORK_NAMES, ...PROVIDER_NAMES, "OPENCODE_MODELS_PATH"],
    copies: listLoginFiles(spec),
  };
}

function buildSettings(mcp: McpLaunch | undefined): Readonly<Record<string, unknown>> {
  const server = {
    type: "local",
    enabled: true,
    command: mcp === undefined ? [] : [mcp.command, ...mcp.arguments],
    environment: mcp?.environment,
    timeout: MAX_TOOL_CALL_MS,
  };
  return {
    autoupdate: false,
    share: "disabled",
    // The runtime saves the work; OpenCode's snapshots would cost time in every step.
    snapshot: false,
    permission: PERMISSION,
    // A project's settings for this agent would win over the general ones.
    agent: { build: { permission: PERMISSION } },
    ...(mcp === undefined ? {} : { mcp: { [MCP_SERVER]: server } }),
  };
}

function listLoginFiles(spec: RunSpec): NonNullable<BuiltRun["copies"]> {
  const folders = findOpencodeFolders(spec.userHome, spec.userEnvironment);
  const settings = ["opencode.json", "opencode.jsonc", "config.json", "AGENTS.md"].map((name) => ({
    from: join(folders.config, name),
    to: `${FOLDER}/config/opencode/${name}`,
  }));
  return [
    ...settings,
    { from: join(folders.data, "auth.json"), to: `${FOLDER}/data/opencode/auth.json` },
    // It may not download the list of models, so the user's copy is used.
    { from: join(folders.cache, "models.json"), to: `${FOLDER}/cache/opencode/models.json` },
  ];
}
