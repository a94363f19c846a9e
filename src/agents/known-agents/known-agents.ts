import type { KnownAgent } from "../adapter-types/known-agent.ts";
import { qwenAgent } from "./qwen/program.ts";
import { copilotAgent } from "./copilot/program.ts";
import { piAgent } from "./pi/program.ts";
import { gooseAgent } from "./goose/program.ts";
import { kimiAgent } from "./kimi/program.ts";
import { grokAgent } from "./grok/program.ts";

/**
 * Every agent CLI without an adapter of its own that we know. A new one is one line here, and a
 * folder next to these if more than its name is known.
 */
export const knownAgents: readonly KnownAgent[] = [
  qwenAgent,
  copilotAgent,
  piAgent,
  gooseAgent,
  kimiAgent,
  grokAgent,
  { name: "aider" },
  { name: "cursor-agent" },
  { name: "amp" },
];
