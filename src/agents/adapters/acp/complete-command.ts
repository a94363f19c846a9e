import type { AcpProgram, OwnAgents } from "../../adapter-types/agent-program.ts";
import { PROVIDER_NAMES } from "../../stream-json/provider-names.ts";
import { agentPrograms } from "../agent-programs.ts";
import { readCommandNames } from "../command-names.ts";
import { knownAgents } from "../../known-agents/known-agents.ts";

/** An agent we know nothing about may need any provider's key. */
const UNKNOWN_AGENT: AcpProgram = { names: [], arguments: [], pass: PROVIDER_NAMES };

/** The known facts about the agent that a command starts. */
export function findAcpProgram(command: readonly string[]): AcpProgram {
  const known = [...agentPrograms, ...knownAgents].flatMap(({ acp }) => acp ?? []);
  const words = readCommandNames(command);
  return known.find(({ names }) => names.some((name) => words.has(name))) ?? UNKNOWN_AGENT;
}

/** An unknown agent may use any of these names for a tool that starts others. */
const USUAL_TOOLS: readonly string[] = [
  "agent",
  "task",
  "workflow",
  "spawn_agent",
  "spawn_subagent",
  "invoke_agent",
  "subagent",
];

/** The agents that the agent behind a command could start itself. */
export function findOwnAgents(command: readonly string[]): OwnAgents {
  const { ownAgents } = findAcpProgram(command);
  return ownAgents ?? { tools: USUAL_TOOLS, isSwitchedOff: false };
}

/** The command with the arguments that this agent needs and the definition lacks. */
export function completeCommand(
  command: readonly string[],
  agent: AcpProgram,
  mcpFile: string | undefined,
): readonly string[] {
  const missing = agent.arguments.filter(([first = ""]) => !hasArgument(command, first));
  const argument = agent.mcpFileArgument;
  const needsFile = argument !== undefined && mcpFile !== undefined && !hasArgument(command, argument);
  return [...command, ...missing.flat(), ...(needsFile ? [argument, `@${mcpFile}`] : [])];
}

function hasArgument(command: readonly string[], argument: string): boolean {
  const name = argument.split("=", 1).join("");
  return command.some((word) => word === name || word.startsWith(`${name}=`));
}
