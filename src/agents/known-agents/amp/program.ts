import type { KnownAgent } from "../../adapter-types/known-agent.ts";

export const ampAgent: KnownAgent = { name: "amp" };
