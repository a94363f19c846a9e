import { basename } from "node:path";
import type { AcpProgram } from "../../adapter-types/agent-program.ts";
import { PROVIDER_NAMES } from "../../stream-json/provider-names.ts";
import { agentPrograms } from "../agent-programs.ts";
import { otherPrograms } from "../other-programs.ts";

/** An agent we know nothing about may need any provider's key. */
const UNKNOWN_AGENT: AcpProgram = { names: [], arguments: [], pass: PROVIDER_NAMES };

/** A package runner and its options come before the package. */
const SEARCHED_WORDS = 4;

/** The known facts about the agent that a command starts. */
export function findAcpProgram(command: readonly string[]): AcpProgram {
  const known = [...agentPrograms, ...otherPrograms].flatMap(({ acp }) => acp ?? []);
  const words = new Set(command.slice(0, SEARCHED_WORDS).map(readPlainName));
  return known.find(({ names }) => names.some((name) => words.has(name))) ?? UNKNOWN_AGENT;
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

/** `@scope/agent@0.61.0` and `/usr/bin/agent` are both `agent`. */
function readPlainName(word: string): string {
  const last = basename(word);
  const version = last.indexOf("@", 1);
  return version < 0 ? last : last.slice(0, version);
}
