import type { KnownAgent } from "../../adapter-types/known-agent.ts";
import { PROVIDER_NAMES } from "../../stream-json/provider-names.ts";

export const kimiAgent: KnownAgent = {
  name: "kimi",
  probe: { package: "@moonshot-ai/kimi-code", tested: [], logIn: "kimi" },
  acp: {
    names: ["kimi", "kimi-code"],
    arguments: [],
    pass: [...PROVIDER_NAMES, "KIMI_*", "MOONSHOT_*"],
    usage: "never",
    ownAgents: { tools: ["agent", "agentswarm"], isSwitchedOff: false },
  },
};
