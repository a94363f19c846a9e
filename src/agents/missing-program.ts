import { resolveProgram } from "../containment/resolve-program.ts";
import { agentProgramNames } from "./agent-programs.ts";
import type { AgentDefinition } from "./definitions/agent-definition.ts";

/** The agent program that would be started, if it is not on the user's PATH. Other commands are not checked. */
export function missingProgram(
  { adapter, command }: Pick<AgentDefinition, "adapter" | "command">,
  { PATH = "" }: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const program = command[0] ?? adapter;
  if (!agentProgramNames.includes(program)) return undefined;
  return resolveProgram(program, { PATH }, "/") === undefined ? program : undefined;
}
