import type { ProgramProbe } from "../adapter-types/agent-program.ts";
import { knownAgents } from "../known-agents/known-agents.ts";
import { agentPrograms, findAgentProgram } from "./agent-programs.ts";
import { readCommandNames } from "./command-names.ts";

/** How to probe any program we know, with an adapter of its own or without. */
export function findProgramProbe(name: string): ProgramProbe | undefined {
  return findAgentProgram(name)?.probe ?? knownAgents.find((agent) => agent.name === name)?.probe;
}

/** Whether a command starts an agent CLI that we know by its name. */
export function startsKnownAgent(command: readonly string[]): boolean {
  const names = readCommandNames(command);
  const known = [...agentPrograms.map(({ adapter }) => adapter), ...knownAgents];
  return known.some(({ name }) => names.has(name));
}
