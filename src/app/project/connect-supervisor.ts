import { connectSupervisor, type SupervisorClient } from "../../supervisor/client.ts";
import { ensureSupervisor } from "../../supervisor/ensure-supervisor.ts";
import { supervisorFiles } from "../../supervisor/supervisor-files.ts";
import type { AppContext } from "./app-context.ts";
import { findProject } from "./open-project.ts";

type SupervisorContext = Pick<
  AppContext,
  "directory" | "environment" | "program" | "supervisor" | "surface" | "version"
>;

/** Uses the project's supervisor, which is started if none is running, and closes the connection afterwards. */
export async function withSupervisor<Result>(
  context: SupervisorContext,
  use: (client: SupervisorClient) => Promise<Result>,
): Promise<Result> {
  const client = await startSupervisor(context);
  try {
    return await use(client);
  } finally {
    client.close();
  }
}

/** Connects to the project's supervisor and starts one if none is running. */
export async function startSupervisor(context: SupervisorContext): Promise<SupervisorClient> {
  if (context.supervisor !== undefined) return context.supervisor();
  const { root } = findProject(context);
  return ensureSupervisor({
    projectRoot: root,
    version: context.version,
    surface: context.surface,
    program: [...context.program, "__supervisor"],
    environment: context.environment,
  });
}

/** Connects to the project's supervisor; undefined if none is running. */
export async function findSupervisor(
  context: Pick<AppContext, "directory" | "supervisor" | "version">,
): Promise<SupervisorClient | undefined> {
  if (context.supervisor !== undefined) return context.supervisor();
  return connectSupervisor(supervisorFiles(findProject(context).root).socket, context.version);
}
