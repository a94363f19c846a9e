import { resolveProgram } from "../../../containment/resolve-program.ts";
import { agentProgramNames } from "../../../agents/agent-programs.ts";
import { DelegationError } from "../../../base/delegation-error.ts";

/** Looked for on the user's own PATH: on a worker's, names of agents are programs that refuse. */
export function findProgram(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const [name = "", ...rest] = argv;
  if (name.includes("/")) return argv;
  const path = environment["PATH"];
  const found = resolveProgram(name, path === undefined ? {} : { PATH: path }, "/");
  if (found !== undefined) return [found, ...rest];
  if (agentProgramNames.includes(name)) throw notInstalled(name);
  return argv;
}

function notInstalled(name: string): DelegationError {
  return new DelegationError({
    code: "AGENT_NOT_INSTALLED",
    message: `The agent program ${name} is not on this machine's PATH.`,
    recommendation: `Install ${name}, or name another agent; ambit doctor says which are there.`,
  });
}
