import {
  addressFromVariable,
  type ProgramSetup,
  type ProviderAddress,
} from "../../adapter-types/agent-program.ts";
import type { KnownAgent } from "../../adapter-types/known-agent.ts";
import { hasAnyField } from "../../stream-json/login-files.ts";
import { PROVIDER_NAMES } from "../../stream-json/provider-names.ts";

export const grokAgent: KnownAgent = {
  name: "grok",
  probe: { package: "@xai-official/grok", tested: ["1.0."], logIn: "grok login" },
  acp: {
    names: ["grok"],
    arguments: [],
    pass: [...PROVIDER_NAMES, "GROK_*", "XAI_*"],
    environment: {
      GROK_SUBAGENTS: "0",
      GROK_WORKFLOWS: "0",
      GROK_DISABLE_AUTOUPDATER: "1",
      // Requests that only its own terminal shows the answers of.
      GROK_PROMPT_SUGGESTIONS: "0",
      GROK_TITLE_REFRESH: "0",
      GROK_TURN_SUMMARY: "0",
      GROK_SESSION_RECAP: "0",
    },
    homeFolder: { variable: "GROK_HOME", path: ".grok", files: ["config.toml", "auth.json"] },
    usage: "never",
    ownAgents: { tools: ["spawn_subagent", "workflow"], isSwitchedOff: true },
    findProviderAddress: findGrokAddress,
  },
};

const VARIABLE = "GROK_MODELS_BASE_URL";

/** Undefined unless the environment names it: a login with an account has another address. */
function findGrokAddress({ environment }: ProgramSetup): ProviderAddress | undefined {
  return hasAnyField(environment, [VARIABLE]) ? addressFromVariable(VARIABLE, environment, "") : undefined;
}
