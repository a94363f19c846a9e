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
import { findCodexFolder } from "./user-folders.ts";

const FOLDER = "codex";

/** Whatever the user's own settings say. */
const ALWAYS: readonly string[] = [
  'approval_policy="never"',
  // Its own agents: their work would be bounded by nobody. Which of the two counts depends on the model.
  "features.multi_agent=false",
  "agents.enabled=false",
  "features.multi_agent_v2=false",
  // Goals go on after the turn, a daemon after the run, and apps act outside the workspace.
  "features.goals=false",
  "features.daemon_auto_start=false",
  "features.apps=false",
  // Without a network it would wait for one for ever, saying so now and then.
  "features.unbounded_connection_retries=false",
  // Looks for updates of plug-ins first, which takes seconds without a network.
  "features.plugins=false",
  "analytics.enabled=false",
  "feedback.enabled=false",
  "check_for_update_on_startup=false",
  // A program that is to tell a person, who is not there.
  "notify=[]",
  // A login shell sets PATH anew, and with it the refusing programs in front of other agents are gone.
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
    pass: [...NETWORK_NAMES, ...PROVIDER_NAMES, "CODEX_API_KEY", "CODEX_ACCESS_TOKEN"],
    // It refuses to start with a folder that is not there, and there may be nothing to copy.
    files: [{ path: `${FOLDER}/.keep`, content: "" }],
    copies: listLoginFiles(spec),
  };
}

/**
 * Edits and commands without asking, in the workspace and where the return goes. Without the network not even our own
 * socket can be reached, which `ambit delegate` needs.
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
 * `required`: else the first turn starts before a slow server is there. The variables are named, not given: anybody on
 * the machine can read a command line, and one of them is the worker's token.
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

/** A TOML string: JSON's, except that TOML wants this one character escaped too. */
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
