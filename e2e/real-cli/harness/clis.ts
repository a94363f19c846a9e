import { existsSync } from "node:fs";
import { join } from "node:path";
import { binFolder } from "./places.ts";

/** One agent CLI, set up as a person would who has a model server of their own. */
export interface AgentCli {
  readonly name: string;
  /** The package it is installed from; absent where we do not install it. */
  readonly package?: string;
  /** How requests to the model server are recorded when they come from it. */
  readonly api: string;
  readonly model: string;
  /** Says what it used while it works, so that a budget ends it in the middle. */
  readonly hasLiveUsage: boolean;
  /** Its address can be set, so that its requests go through the proxy that counts them. */
  readonly canBeMetered: boolean;
  /** Its own tools for delegating, which must never be offered. */
  readonly ownAgentTools: readonly string[];
  /** It offers one tool that calls those of all MCP servers, and another to search them. */
  readonly searchesTools?: true;
  /** It asks for a title of its session by another interface of its provider, with the words of its prompt. */
  readonly titleApi?: string;
  /** They cannot be switched off, so their use ends the attempt. */
  readonly keepsOwnAgents?: true;
  /** How a person starts it without us, for a comparison. */
  readonly plain: readonly string[];
  /** The definition of an agent that a generic adapter drives; it plays what `forGeneric` scenarios ask for. */
  readonly acpCommand?: readonly string[];
  /** Its tool for files takes absolute paths only. */
  readonly writesByShell?: true;
  /** False for an agent that does not report its usage. */
  readonly reportsUsage?: boolean;
  /** It does not report all of its requests, so they are counted on their way, those beside its work included. */
  readonly isAlwaysMetered?: true;
  readonly environment: (url: string) => Readonly<Record<string, string>>;
  /** Below the person's home. */
  readonly files: (url: string) => Readonly<Record<string, string>>;
}

/** Long and unlike any word: a CLI may strike its key out of everything it prints. */
const KEY = "ambit-scripted-key-7f3a9c51d20e";

const codex: AgentCli = {
  name: "codex",
  package: "@openai/codex",
  api: "responses",
  model: "gpt-5.1-codex",
  hasLiveUsage: false,
  canBeMetered: true,
  ownAgentTools: [
    "spawn_agent",
    "send_input",
    "resume_agent",
    "wait_agent",
    "close_agent",
    "spawn_agents_on_csv",
    "followup_task",
    "interrupt_agent",
  ],
  plain: ["exec", "--skip-git-repo-check"],
  environment: () => ({ SCRIPTED_KEY: KEY }),
  files: (url) => ({
    ".codex/config.toml": [
      'model_provider = "scripted"',
      "[model_providers.scripted]",
      'name = "scripted"',
      `base_url = "${url}/v1"`,
      'env_key = "SCRIPTED_KEY"',
      'wire_api = "responses"',
      "request_max_retries = 1",
      "stream_max_retries = 1",
      "",
    ].join("\n"),
  }),
};

const gemini: AgentCli = {
  name: "gemini",
  package: "@google/gemini-cli",
  api: "gemini",
  model: "gemini-2.5-pro",
  hasLiveUsage: false,
  canBeMetered: true,
  ownAgentTools: ["invoke_agent", "delegate_to_agent", "codebase_investigator", "cli_help", "generalist"],
  plain: ["--skip-trust", "--model", "gemini-2.5-pro", "--prompt"],
  environment: (url) => ({ GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: url }),
  files: () => ({
    ".gemini/settings.json": json({ security: { auth: { selectedType: "gemini-api-key" } } }),
  }),
};

const opencode: AgentCli = {
  name: "opencode",
  package: "opencode-ai",
  api: "chat",
  model: "scripted/scripted-1",
  hasLiveUsage: true,
  canBeMetered: false,
  ownAgentTools: ["task"],
  plain: ["run", "--model", "scripted/scripted-1"],
  environment: () => ({}),
  files: (url) => ({
    ".config/opencode/opencode.json": json({
      provider: {
        scripted: {
          npm: "@ai-sdk/openai-compatible",
          name: "scripted",
          options: { baseURL: `${url}/v1`, apiKey: KEY },
          models: {
            "scripted-1": {
              name: "scripted-1",
              cost: { input: 2, output: 10 },
              limit: { context: 1_000_000, output: 32_000 },
            },
          },
        },
      },
    }),
  }),
};

const claude: AgentCli = {
  name: "claude",
  api: "anthropic",
  model: "claude-sonnet-4-5",
  hasLiveUsage: true,
  canBeMetered: true,
  ownAgentTools: ["Agent", "Task", "Workflow", "SendMessage"],
  plain: ["-p"],
  environment: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: KEY }),
  files: () => ({}),
};

/** Providers that speak OpenAI's chat interface, for agents whose users bring their own. */
const chat = { api: "chat", model: "gpt-5.1-codex" } as const;

const qwen: AgentCli = {
  ...chat,
  name: "qwen",
  isAlwaysMetered: true,
  writesByShell: true,
  hasLiveUsage: true,
  canBeMetered: true,
  ownAgentTools: ["agent"],
  plain: [],
  acpCommand: ["qwen", "--acp"],
  environment: (url) => ({ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: chat.model }),
  files: () => ({ ".qwen/settings.json": json({ security: { auth: { selectedType: "openai" } } }) }),
};

const copilot: AgentCli = {
  ...chat,
  name: "copilot",
  hasLiveUsage: false,
  canBeMetered: true,
  ownAgentTools: ["task"],
  plain: [],
  acpCommand: ["copilot", "--acp"],
  environment: (url) => ({
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_API_KEY: KEY,
    COPILOT_MODEL: chat.model,
    COPILOT_OFFLINE: "true",
  }),
  files: () => ({}),
};

/** It has no agents of its own and no MCP. */
const piBridge: AgentCli = {
  ...chat,
  name: "pi-acp",
  isAlwaysMetered: true,
  hasLiveUsage: false,
  canBeMetered: true,
  ownAgentTools: [],
  plain: [],
  acpCommand: ["pi-acp"],
  environment: () => ({ PI_OFFLINE: "1" }),
  files: (url) => ({
    ".pi/agent/settings.json": json({ defaultProvider: "scripted", defaultModel: chat.model }),
    ".pi/agent/models.json": json({
      providers: {
        scripted: {
          baseUrl: `${url}/v1`,
          api: "openai-completions",
          apiKey: KEY,
          models: [{ id: chat.model, contextWindow: 1_000_000, maxTokens: 32_000 }],
        },
      },
    }),
  }),
};

/** The shipped definition: no file of the project names it. */
const pi: AgentCli = {
  ...piBridge,
  name: "pi",
  acpCommand: [],
  hasLiveUsage: true,
};

/** A bridge: the same program and model, driven by the generic adapter. */
const codexBridge: AgentCli = {
  ...codex,
  name: "codex-acp",
  acpCommand: ["codex-acp"],
  files: (url) => ({
    ".codex/config.toml": `model = "${codex.model}"\n${codex.files(url)[".codex/config.toml"] ?? ""}`,
  }),
};

/** A bridge: the same program and model, driven by the generic adapter. */
const claudeBridge: AgentCli = {
  ...claude,
  name: "claude-agent-acp",
  isAlwaysMetered: true,
  hasLiveUsage: false,
  acpCommand: ["claude-agent-acp"],
};

const goose: AgentCli = {
  api: "responses",
  model: codex.model,
  name: "goose",
  isAlwaysMetered: true,
  hasLiveUsage: false,
  canBeMetered: true,
  ownAgentTools: ["delegate"],
  keepsOwnAgents: true,
  plain: [],
  acpCommand: ["goose", "acp"],
  environment: (url) => ({
    GOOSE_PROVIDER: "openai",
    GOOSE_MODEL: codex.model,
    GOOSE_DISABLE_KEYRING: "1",
    OPENAI_API_KEY: KEY,
    OPENAI_HOST: url,
  }),
  files: () => ({}),
};

const kimi: AgentCli = {
  ...chat,
  name: "kimi",
  isAlwaysMetered: true,
  hasLiveUsage: false,
  canBeMetered: true,
  ownAgentTools: ["Agent", "AgentSwarm"],
  keepsOwnAgents: true,
  plain: [],
  acpCommand: ["kimi", "acp"],
  environment: (url) => ({
    KIMI_MODEL_NAME: chat.model,
    KIMI_MODEL_API_KEY: KEY,
    KIMI_MODEL_PROVIDER_TYPE: "openai",
    KIMI_MODEL_BASE_URL: `${url}/v1`,
  }),
  files: () => ({}),
};

const grok: AgentCli = {
  ...chat,
  name: "grok",
  isAlwaysMetered: true,
  hasLiveUsage: false,
  canBeMetered: true,
  ownAgentTools: ["spawn_subagent", "workflow"],
  searchesTools: true,
  titleApi: "responses",
  plain: [],
  acpCommand: ["grok", "agent", "stdio"],
  environment: (url) => ({ XAI_API_KEY: KEY, GROK_MODELS_BASE_URL: `${url}/v1` }),
  files: () => ({}),
};

const all: readonly AgentCli[] = [
  codex,
  gemini,
  opencode,
  claude,
  claudeBridge,
  codexBridge,
  qwen,
  copilot,
  goose,
  kimi,
  grok,
  pi,
  piBridge,
];

/** Not installed by us: their licences or sizes leave that to their users. */
export const optionalPrograms: readonly string[] = [
  "claude",
  "claude-agent-acp",
  "codex-acp",
  "qwen",
  "copilot",
  "goose",
  "kimi",
  "grok",
  "pi",
  "pi-acp",
];

/** Those that are on this machine. */
export function presentClis(): readonly AgentCli[] {
  return all.filter(({ name }) => existsSync(join(binFolder, name)));
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
