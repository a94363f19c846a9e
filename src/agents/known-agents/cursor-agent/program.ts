import type { KnownAgent } from "../../adapter-types/known-agent.ts";

export const cursorAgentAgent: KnownAgent = { name: "cursor-agent" };
