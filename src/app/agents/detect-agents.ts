import { agentProgramNames } from "../../agents/agent-programs.ts";
import { builtInAgents, listDefinitions } from "../../agents/definitions.ts";
import { resolveProgram } from "../../containment/resolve-program.ts";
import type { AppContext } from "../project/app-context.ts";
import { probePrograms, type ProgramFacts } from "./probe-programs.ts";

/** Looks for known agent programs on PATH and asks each about itself, all at the same time. */
export async function detectAgents(
  context: Pick<AppContext, "environment" | "directory">,
): Promise<readonly ProgramFacts[]> {
  const { PATH = "" } = context.environment;
  const names = agentProgramNames.filter(
    (name) => resolveProgram(name, { PATH }, context.directory) !== undefined,
  );
  return [...(await probePrograms(context, names)).values()];
}

/** The project's own agents, by name. */
export async function describedAgents(root: string): Promise<readonly string[]> {
  const listed = await listDefinitions(root);
  return listed.flatMap(({ name, source }) => (source === "ambit" ? [name] : []));
}

/** The program a new project's agent should be: one that is ready goes before one that is only there. */
export function bestAgent(found: readonly ProgramFacts[]): string | undefined {
  const usable = found.filter(({ name }) => builtInAgents.includes(name));
  const ready = usable.find(({ version, loggedIn }) => version !== null && loggedIn !== false);
  return (ready ?? usable.find(({ version }) => version !== null))?.name;
}
