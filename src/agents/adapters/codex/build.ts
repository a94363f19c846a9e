import { join } from "node:path";
import type { BuiltRun, McpLaunch, RunSpec } from "../../adapter-types/agent-adapter.ts";
import {
  MAX_TOOL_CALL_MS,
  MCP_SERVER,
  MAX_MCP_START_MS,
  NETWORK_NAMES,
  chooseProgram,
  writableFolders,
} from "../../stream-json/launch.ts";
import { PROVIDER_NAMES } from "../../stream-json/provider-names.ts";
import { listProviderVariables } from "./provider.ts";
import { findCodexFolder } from "./user-folders.ts";

const FOLDER = "codex";

/** These override the user's settings. */
const ALWAYS: readonly string[] = [
  'approval_policy="never"',
  // Off, because Ambit could not limit Codex's own agents. Which switch counts depends on the model.
  "features.multi_agent=false",
  "agents.enabled=false",
  "features.multi_agent_v2=false",
  // Goals outlast the turn, a daemon outlasts the run, and apps act outside the workspace.
  "features.goals=false",
  "features.daemon_auto_start=false",
  "features.apps=false",
  // Without a network it would retry for ever.
  "features.unbounded_connection_retries=false",
  // Looking for updates of plug-ins takes seconds without a network.
  "features.plugins=false",
  "analytics.enabled=false",
  "feedback.enabled=false",
  "check_for_update_on_startup=false",
  // A program that notifies a person; there is none.
  "notify=[]",
  // A login shell resets PATH, which would remove the shims that refuse other agents.
  "allow_login_shell=false",
  'history.persistence="none"',
];

export function buildCodex(spec: RunSpec): BuiltRun {
  const settings = [...ALWAYS, ...buildSandboxSettings(spec), ...buildMcpSettings(spec.mcp)];
  return {
    argv: [
      ...chooseProgram(spec, "codex"),
      "exec",
      ...(spec.resumeSession === undefined ? [] : ["resume"]),
      "--json",
      "--skip-git-repo-check",
      ...settings.flatMap((setting) => ["-c", setting]),
      ...(spec.model === undefined ? [] : ["-m", spec.model]),
      ...(spec.resumeSession === undefined ? [] : [spec.resumeSession]),
      "-",
    ],
    environment: { ...spec.mcp?.environment, CODEX_HOME: join(spec.agentHome, FOLDER) },
    stdin: spec.prompt,
    pass: [
      ...NETWORK_NAMES,
      ...PROVIDER_NAMES,
      "CODEX_API_KEY",
      "CODEX_ACCESS_TOKEN",
      ...listProviderVariables({ environment: spec.userEnvironment ?? {}, home: spec.userHome }),
    ],
    // Codex refuses to start if the folder is missing, and there may be nothing to copy.
    files: [{ path: `${FOLDER}/.keep`, content: "" }],
    copies: listLoginFiles(spec),
  };
}

/**
 * Allows edits and commands without asking, in the workspace and where the return goes. Without network access Codex
 * cannot even reach our socket, which `ambit delegate` needs.
 */
function buildSandboxSettings(spec: RunSpec): readonly string[] {
  if (spec.sandboxed === true) return ['sandbox_mode="danger-full-access"'];
  return [
    'sandbox_mode="workspace-write"',
    "sandbox_workspace_write.network_access=true",
    `sandbox_workspace_write.writable_roots=[${writableFolders(spec).map(quoteTomlText).join(",")}]`,
  ];
}

/**
 * `required` makes the first turn wait for a slow server. Variables are passed by name, because any user of the machine
 * can read a command line and one of them is the worker's token.
 */
function buildMcpSettings(mcp: McpLaunch | undefined): readonly string[] {
  if (mcp === undefined) return [];
  const { command, arguments: args, environment } = mcp;
  const fields = [
    `command=${quoteTomlText(command)}`,
    `args=[${args.map(quoteTomlText).join(",")}]`,
    `env_vars=[${Object.keys(environment).map(quoteTomlText).join(",")}]`,
    "required=true",
    'default_tools_approval_mode="approve"',
    "supports_parallel_tool_calls=true",
    `startup_timeout_sec=${MAX_MCP_START_MS / 1000}`,
    `tool_timeout_sec=${MAX_TOOL_CALL_MS / 1000}`,
  ];
  return [`mcp_servers.${MCP_SERVER}={${fields.join(",")}}`];
}

/** A TOML string is a JSON string, except that TOML also requires this character to be escaped. */
function quoteTomlText(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}

function listLoginFiles(spec: RunSpec): NonNullable<BuiltRun["copies"]> {
  const folder = findCodexFolder(spec.userHome, spec.userEnvironment);
  return ["auth.json", "config.toml", "AGENTS.md", "installation_id"].map((name) => ({
    from: join(folder, name),
    to: `${FOLDER}/${name}`,
  }));
}
