import {
  addressFromVariable,
  type ProgramSetup,
  type ProviderAddress,
} from "../../adapter-types/agent-program.ts";
import type { KnownAgent } from "../../adapter-types/known-agent.ts";
import { hasAnyField } from "../../stream-json/login-files.ts";
import { PROVIDER_NAMES } from "../../stream-json/provider-names.ts";

export const kimiAgent: KnownAgent = {
  name: "kimi",
  probe: { package: "@moonshot-ai/kimi-code", tested: ["2.1."], logIn: "kimi" },
  acp: {
    names: ["kimi", "kimi-code"],
    arguments: [],
    pass: [...PROVIDER_NAMES, "KIMI_*", "MOONSHOT_*"],
    environment: {
      KIMI_CODE_NO_AUTO_UPDATE: "1",
      // Its timers would work after its turn has ended.
      KIMI_DISABLE_CRON: "1",
      // It would end its turn as if it were done, and be asked for its return again.
      KIMI_CODE_REPEAT_BREAKER: "0",
    },
    homeFolder: {
      variable: "KIMI_CODE_HOME",
      path: ".kimi-code",
      files: ["config.toml", "credentials.json"],
    },
    usage: "never",
    ownAgents: { tools: ["agent", "agentswarm"], isSwitchedOff: false },
    findProviderAddress: findKimiAddress,
  },
};

const VARIABLE = "KIMI_MODEL_BASE_URL";
const USUAL: Readonly<Record<string, string>> = {
  kimi: "https://api.moonshot.ai/v1",
  openai: "https://api.openai.com/v1",
};

/** Undefined unless the environment names the model: a login with an account has another address. */
function findKimiAddress({ environment }: ProgramSetup): ProviderAddress | undefined {
  const usual = USUAL[(environment["KIMI_MODEL_PROVIDER_TYPE"] ?? "kimi").toLowerCase()];
  if (!hasAnyField(environment, ["KIMI_MODEL_NAME"])) return undefined;
  const isKnown = usual !== undefined || hasAnyField(environment, [VARIABLE]);
  return isKnown ? addressFromVariable(VARIABLE, environment, usual ?? "") : undefined;
}
