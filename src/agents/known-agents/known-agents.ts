import type { KnownAgent } from "../adapter-types/known-agent.ts";
import { qwenAgent } from "./qwen/program.ts";
import { copilotAgent } from "./copilot/program.ts";
import { piAgent } from "./pi/program.ts";
import { gooseAgent } from "./goose/program.ts";
import { kimiAgent } from "./kimi/program.ts";
import { grokAgent } from "./grok/program.ts";
import { aiderAgent } from "./aider/program.ts";
import { cursorAgentAgent } from "./cursor-agent/program.ts";
import { ampAgent } from "./amp/program.ts";

/** Every agent CLI without an adapter of its own that we know. A new one is a folder next to these and one line here. */
export const knownAgents: readonly KnownAgent[] = [
  qwenAgent,
  copilotAgent,
  piAgent,
  gooseAgent,
  kimiAgent,
  grokAgent,
  aiderAgent,
  cursorAgentAgent,
  ampAgent,
];
