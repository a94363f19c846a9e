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
import { CLAUDE_WORKER_TOOLS } from "./definitions.ts";
import { findClaudeFolders } from "./user-folders.ts";

const FOLDER = "claude";
const MCP_FILE = `${FOLDER}/ambit-mcp.json`;

const PASS: readonly string[] = [
  ...NETWORK_NAMES,
  "ANTHROPIC_*",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "CLAUDE_CODE_USE_BEDROCK",
  "CLAUDE_CODE_USE_VERTEX",
  "CLAUDE_CODE_USE_FOUNDRY",
  "CLAUDE_CODE_SKIP_BEDROCK_AUTH",
  "CLAUDE_CODE_SKIP_VERTEX_AUTH",
  "CLAUDE_CODE_SKIP_FOUNDRY_AUTH",
  "CLAUDE_CODE_MAX_OUTPUT_TOKENS",
  "CLOUD_ML_REGION",
  "VERTEX_REGION_*",
];

/** Keys of a whole cloud account, passed on only if the model runs there. */
const CLOUDS: readonly { readonly chosenBy: string; readonly names: readonly string[] }[] = [
  { chosenBy: "CLAUDE_CODE_USE_BEDROCK", names: ["AWS_*"] },
  {
    chosenBy: "CLAUDE_CODE_USE_VERTEX",
    names: ["GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_CLOUD_*", "GCLOUD_PROJECT"],
  },
  { chosenBy: "CLAUDE_CODE_USE_FOUNDRY", names: ["AZURE_*"] },
];

export function buildClaude(spec: RunSpec): BuiltRun {
  const tools = spec.tools ?? CLAUDE_WORKER_TOOLS;
  return {
    argv: [
      ...chooseProgram(spec, "claude"),
      "-p",
      "--output-format",
      "stream-json",
      "--verbose",
      // Only the end of a message says how much was written; without these events a stopped run would not tell it.
      "--include-partial-messages",
      "--permission-mode",
      "acceptEdits",
      "--tools",
      tools.join(","),
      "--allowedTools",
      [...tools, `mcp__${MCP_SERVER}`].join(","),
      ...writableFolders(spec).flatMap((folder) => ["--add-dir", folder]),
      "--strict-mcp-config",
      // Without a person it never asks about a project's hooks and helpers; it would only obey them.
      ...(spec.isProjectTrusted === true ? [] : ["--setting-sources", "user"]),
      ...(spec.mcp === undefined ? [] : ["--mcp-config", join(spec.agentHome, MCP_FILE)]),
      ...(spec.model === undefined ? [] : ["--model", spec.model]),
      ...(spec.remainingMicroUsd === undefined
        ? []
        : ["--max-budget-usd", formatDollars(spec.remainingMicroUsd)]),
      ...(spec.resumeSession === undefined ? [] : ["--resume", spec.resumeSession]),
    ],
    environment: buildEnvironment(spec),
    stdin: spec.prompt,
    pass: [...PASS, ...listCloudVariables(spec)],
    files: spec.mcp === undefined ? [] : [{ path: MCP_FILE, content: buildMcpFile(spec.mcp) }],
    copies: listLoginFiles(spec),
  };
}

function buildEnvironment(spec: RunSpec): Readonly<Record<string, string>> {
  return {
    CLAUDE_CONFIG_DIR: join(spec.agentHome, FOLDER),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    // Background commands would end with the turn, and their output would be lost.
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
    // Otherwise it retries a refused key for minutes, and the other workers keep hitting the account.
    CLAUDE_CODE_MAX_RETRIES: "5",
    // Otherwise our server's tools are hidden behind a search that the model may never make.
    ENABLE_TOOL_SEARCH: "false",
    MCP_TIMEOUT: String(MAX_MCP_START_MS),
    MCP_TOOL_TIMEOUT: String(MAX_TOOL_CALL_MS),
    CLAUDE_CODE_MCP_TOOL_IDLE_TIMEOUT: String(MAX_TOOL_CALL_MS),
  };
}

/** In a file, because any user of the machine can read a command line and this holds the worker's token. */
function buildMcpFile({ command, arguments: args, environment }: McpLaunch): string {
  const server = {
    type: "stdio",
    command,
    args,
    env: environment,
    timeout: MAX_TOOL_CALL_MS,
    alwaysLoad: true,
  };
  return `${JSON.stringify({ mcpServers: { [MCP_SERVER]: server } }, null, 2)}\n`;
}

function listLoginFiles(spec: RunSpec): NonNullable<BuiltRun["copies"]> {
  const { config, state } = findClaudeFolders(spec.userHome, spec.userEnvironment);
  return [
    { from: join(config, ".credentials.json"), to: `${FOLDER}/.credentials.json` },
    { from: join(config, "settings.json"), to: `${FOLDER}/settings.json` },
    { from: state, to: `${FOLDER}/.claude.json` },
  ];
}

function listCloudVariables({ userEnvironment = {} }: RunSpec): readonly string[] {
  return CLOUDS.flatMap(({ chosenBy, names }) => (isSwitchedOn(userEnvironment[chosenBy]) ? names : []));
}

function isSwitchedOn(value: string | undefined): boolean {
  return value !== undefined && !["", "0", "false"].includes(value.toLowerCase());
}

/** Claude Code refuses zero; a run without a budget is not started anyway. */
function formatDollars(microUsd: number): string {
  return (Math.max(1, microUsd) / 1_000_000).toFixed(6);
}
