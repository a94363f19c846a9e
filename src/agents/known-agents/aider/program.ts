import type { KnownAgent } from "../../adapter-types/known-agent.ts";

export const aiderAgent: KnownAgent = { name: "aider" };
