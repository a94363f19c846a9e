import type { AgentProgram } from "../adapter-types/agent-program.ts";
import { claudeProgram } from "./claude/program.ts";
import { codexProgram } from "./codex/program.ts";
import { geminiProgram } from "./gemini/program.ts";
import { opencodeProgram } from "./opencode/program.ts";

/** Every agent CLI with an adapter of its own. A new one is a folder next to these and one line here. */
export const agentPrograms: readonly AgentProgram[] = [
  claudeProgram,
  codexProgram,
  geminiProgram,
  opencodeProgram,
];

export function findAgentProgram(name: string): AgentProgram | undefined {
  return agentPrograms.find(({ adapter }) => adapter.name === name);
}
