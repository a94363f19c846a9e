import type { KnownAgent } from "../../adapter-types/known-agent.ts";
import { PROVIDER_NAMES } from "../../stream-json/provider-names.ts";

export const grokAgent: KnownAgent = {
  name: "grok",
  acp: {
    names: ["grok"],
    arguments: [],
    pass: [...PROVIDER_NAMES, "GROK_*", "XAI_*"],
    usage: "never",
    ownAgents: { tools: ["spawn_subagent"], isSwitchedOff: false },
  },
};
