import type { KnownAgent } from "../../adapter-types/known-agent.ts";
import { PROVIDER_NAMES } from "../../stream-json/provider-names.ts";

export const gooseAgent: KnownAgent = {
  name: "goose",
  acp: {
    names: ["goose"],
    arguments: [],
    pass: [...PROVIDER_NAMES, "GOOSE_*"],
    // It reports about every second request.
    usage: "never",
    ownAgents: { tools: ["delegate", "subagent", "dynamic_task__create_task"], isSwitchedOff: false },
  },
};
