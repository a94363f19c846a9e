import { existsSync } from "node:fs";
import { builtInAgents } from "../agents/definitions.ts";
import { projectConfigPath } from "../config/config-paths.ts";
import { resolveProgram } from "../containment/resolve-program.ts";
import { describedAgents } from "./agents/detect-agents.ts";
import type { AppContext } from "./project/app-context.ts";
import { findProject } from "./project/open-project.ts";

export interface FirstSteps {
  /** Whether the project has an ambit.yaml. */
  readonly isSetUp: boolean;
  /** An agent that can work here: the project's own or an installed one. */
  readonly agent: string | undefined;
}

/** Finds commands for a person who has not delegated anything here yet. Starts no program. */
export async function findFirstSteps(
  context: Pick<AppContext, "directory" | "environment">,
): Promise<FirstSteps> {
  const { root } = findProject(context);
  const { PATH = "" } = context.environment;
  const [own] = await describedAgents(root);
  const installed = builtInAgents.find((name) => resolveProgram(name, { PATH }, root) !== undefined);
  return { isSetUp: existsSync(projectConfigPath(root)), agent: own ?? installed };
}
