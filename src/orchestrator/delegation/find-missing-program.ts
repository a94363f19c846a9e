import { missingProgram } from "../../agents/missing-program.ts";
import type { RunTools } from "../ports/run-tools.ts";

/**
 * The agent program that this machine would start and does not have. In a cluster the machines of the agent's pool need
 * it instead.
 */
export function findMissingProgram(
  { environment, poolOf }: Pick<RunTools, "environment" | "poolOf">,
  agent: Parameters<typeof missingProgram>[0],
): string | undefined {
  return poolOf === undefined ? missingProgram(agent, environment) : undefined;
}
