import type { AgentAdapter } from "../../adapter-types/agent-adapter.ts";
import type { AgentProgram, ProviderAddress } from "../../adapter-types/agent-program.ts";
import { buildCodex, CONFIG_FILE } from "./build.ts";
import { codexCarriers, codexDefinitions } from "./definitions.ts";
import { codexMcpClient } from "./mcp-client.ts";
import { parseCodex } from "./parse.ts";
import { codexProbe } from "./probe.ts";
import { settleCodex } from "./settle.ts";

/** Codex, driven by `codex exec --json`. It reports usage only when its turn ends. */
export const codexAdapter: AgentAdapter = {
  name: "codex",
  provider: "openai",
  capabilities: { mcp: true, resume: true, liveUsage: false, windDown: false, repair: true },
  build: buildCodex,
  parse: parseCodex,
  settle: settleCodex,
};

/**
 * Codex has a setting for this and no variable. It moves the built-in provider; the user's own ones stay. The address
 * holds a secret, so it is in a file: any user of the machine can read a command line.
 */
const address: ProviderAddress = {
  upstream: "https://api.openai.com/v1",
  redirect: (built, url) => {
    const theirs = built.copies?.find(({ to }) => to === CONFIG_FILE)?.from;
    const content = `openai_base_url = ${JSON.stringify(url)}\n`;
    const config = { path: CONFIG_FILE, content, ...(theirs === undefined ? {} : { over: theirs }) };
    return { ...built, files: [...(built.files ?? []), config] };
  },
};

export const codexProgram: AgentProgram = {
  adapter: codexAdapter,
  title: "Codex",
  probe: codexProbe,
  definitions: codexDefinitions,
  models: {
    family: { name: "openai", pattern: /^(?:gpt|chatgpt|codex|openai|o\d)/ },
    providerNames: ["codex", "codex-cli", "openai", "chatgpt", "gpt"],
  },
  mcpClient: codexMcpClient,
  acp: { names: ["codex-acp"], arguments: [], pass: ["OPENAI_*", "CODEX_*"] },
  // A login without a key goes to another address, which cannot be moved.
  findProviderAddress: (environment) =>
    (environment["CODEX_API_KEY"] ?? environment["OPENAI_API_KEY"]) === undefined ? undefined : address,
  telemetryProvider: "openai",
  settingsPaths: ["**/.codex"],
  carriers: codexCarriers,
  instructionFiles: [],
};
