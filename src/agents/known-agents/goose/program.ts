import { join } from "node:path";
import { readTextOrEmpty } from "../../../base/files.ts";
import {
  addressFromVariable,
  type ProgramSetup,
  type ProviderAddress,
} from "../../adapter-types/agent-program.ts";
import type { KnownAgent } from "../../adapter-types/known-agent.ts";
import { hasAnyField } from "../../stream-json/login-files.ts";
import { PROVIDER_NAMES } from "../../stream-json/provider-names.ts";

export const gooseAgent: KnownAgent = {
  name: "goose",
  probe: { package: "@aaif/goose-binary-linux-x64", tested: ["1.52."], logIn: "goose configure" },
  acp: {
    names: ["goose"],
    arguments: [],
    // Its own names for addresses: without them it would send its requests past the user's gateway.
    pass: [...PROVIDER_NAMES, "GOOSE_*", "OPENAI_*", "ANTHROPIC_*", "DATABRICKS_*", "LMSTUDIO_HOST"],
    // It starts agents of its own only in its mode "auto"; in this one it asks us before it uses a tool.
    environment: { GOOSE_MODE: "approve" },
    homeFolder: {
      variable: "XDG_CONFIG_HOME",
      path: ".config",
      files: ["goose/config.yaml", "goose/secrets.yaml"],
    },
    // It reports about every second request.
    usage: "never",
    ownAgents: { tools: ["delegate", "subagent", "dynamic_task__create_task"], isSwitchedOff: false },
    findProviderAddress: findGooseAddress,
  },
};

const PROVIDERS: Readonly<Record<string, { readonly variable: string; readonly usual: string }>> = {
  openai: { variable: "OPENAI_HOST", usual: "https://api.openai.com" },
  anthropic: { variable: "ANTHROPIC_HOST", usual: "https://api.anthropic.com" },
};

/** Undefined for providers that no variable moves. A variable of the shell wins over the settings file. */
function findGooseAddress({ environment, home }: ProgramSetup): ProviderAddress | undefined {
  const settings = { ...readSettings(join(home, ".config/goose/config.yaml")), ...environment };
  const provider = PROVIDERS[settings["GOOSE_PROVIDER"] ?? ""];
  const isElsewhere = hasAnyField(settings, ["GOOSE_PATH_ROOT", "OPENAI_BASE_URL"]);
  if (provider === undefined || isElsewhere) return undefined;
  return addressFromVariable(provider.variable, settings, provider.usual);
}

/** Lines `NAME: value` at the left edge; it writes no other settings of providers. */
function readSettings(file: string): Readonly<Record<string, string>> {
  const lines = readTextOrEmpty(file).split("\n");
  const values = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = /^([A-Z_]+):\s*["']?([^"'#\s]+)/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) values.set(name, value);
  }
  return Object.fromEntries(values);
}
