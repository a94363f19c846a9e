import { join } from "node:path";
import type { BuiltRun, RunSpec } from "../../adapter-types/agent-adapter.ts";
import {
  MAX_TOOL_CALL_MS,
  MCP_SERVER,
  NETWORK_NAMES,
  chooseProgram,
  writableFolders,
} from "../../stream-json/launch.ts";
import { findGeminiFolder } from "./user-folders.ts";

const FOLDER = "gemini";
const SETTINGS = "settings.json";

const PASS: readonly string[] = [
  ...NETWORK_NAMES,
  "GEMINI_API_KEY",
  "GEMINI_API_KEY_AUTH_MECHANISM",
  "GEMINI_MODEL",
  "GOOGLE_API_KEY",
  "GOOGLE_GEMINI_BASE_URL",
  "GOOGLE_VERTEX_BASE_URL",
  "GOOGLE_GENAI_USE_GCA",
  "GOOGLE_GENAI_USE_VERTEXAI",
  "GOOGLE_GENAI_API_VERSION",
  "GOOGLE_CLOUD_*",
  "GOOGLE_APPLICATION_CREDENTIALS",
  "GEMINI_CLI_CUSTOM_HEADERS",
  "GEMINI_CLI_USE_COMPUTE_ADC",
];

/** Logins and the user's memory; settings are merged with ours. */
const COPIED: readonly string[] = [
  "oauth_creds.json",
  "google_accounts.json",
  "gemini-credentials.json",
  "installation_id",
  ".env",
  "GEMINI.md",
];

export function buildGemini(spec: RunSpec): BuiltRun {
  const userFolder = findGeminiFolder(spec.userHome, spec.userEnvironment);
  return {
    argv: [
      ...chooseProgram(spec, "gemini"),
      // In a folder that it does not trust it silently drops MCP servers, ours too, and it never saw a new workspace.
      ...(spec.isProjectTrusted === true ? ["--skip-trust"] : []),
      "--approval-mode",
      "yolo",
      "--output-format",
      "stream-json",
      ...writableFolders(spec).flatMap((folder) => ["--include-directories", folder]),
      ...(spec.model === undefined ? [] : ["--model", spec.model]),
      ...(spec.resumeSession === undefined ? [] : ["--resume", spec.resumeSession]),
      // The prompt is on stdin; this only selects the mode without a person.
      "--prompt",
      "",
    ],
    environment: {
      GEMINI_CLI_HOME: join(spec.agentHome, FOLDER),
      // Its launcher ignores signals and does nothing but wait for the agent.
      GEMINI_CLI_NO_RELAUNCH: "true",
    },
    stdin: spec.prompt,
    pass: PASS,
    files: [
      {
        path: `${FOLDER}/.gemini/${SETTINGS}`,
        content: `${JSON.stringify(buildSettings(spec), null, 2)}\n`,
        over: join(userFolder, SETTINGS),
      },
    ],
    copies: COPIED.map((name) => ({ from: join(userFolder, name), to: `${FOLDER}/.gemini/${name}` })),
  };
}

/** At user level, because system settings are read only if root owns the file and all folders above it. */
function buildSettings({ mcp, userEnvironment = {} }: RunSpec): Readonly<Record<string, unknown>> {
  const server = {
    command: mcp?.command,
    args: mcp?.arguments,
    env: mcp?.environment,
    trust: true,
    timeout: MAX_TOOL_CALL_MS,
  };
  return {
    // The default of ten means minutes of silence while other workers hit the same exhausted account.
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, maxAttempts: 3 },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    // A manager that waits repeats the same call, and the detection would end the run as a success.
    model: { disableLoopDetection: true },
    // Off, because Ambit could not limit its own agents.
    experimental: { enableAgents: false },
    tools: { exclude: ["invoke_agent", "enter_plan_mode", "ask_user"] },
    ...(usesOnlyApiKey(userEnvironment) ? { security: { auth: { selectedType: "gemini-api-key" } } } : {}),
    ...(mcp === undefined ? {} : { mcpServers: { [MCP_SERVER]: server } }),
  };
}

/** With a key and an address Gemini would guess a login type that it then refuses. The user's choice still wins. */
function usesOnlyApiKey(environment: NonNullable<RunSpec["userEnvironment"]>): boolean {
  const others = ["GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_GCA"];
  return Boolean(environment["GEMINI_API_KEY"]) && others.every((name) => environment[name] !== "true");
}
