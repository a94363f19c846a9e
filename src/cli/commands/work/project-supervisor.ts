import { connectSupervisor, type SupervisorClient } from "../../../supervisor/client.ts";
import { ensureSupervisor } from "../../../supervisor/ensure-supervisor.ts";
import { supervisorFiles } from "../../../supervisor/supervisor-files.ts";
import type { CommandContext } from "../../command-module.ts";
import { findProject } from "../../../app/open-project.ts";

/** Connects to the project's supervisor and starts one when none runs. */
export async function startedSupervisor(context: CommandContext): Promise<SupervisorClient> {
  const { root } = findProject(context);
  return ensureSupervisor({
    projectRoot: root,
    version: context.version,
    program: [process.execPath, process.argv[1] ?? "", "__supervisor"],
    environment: context.environment,
  });
}

/** Connects only if one runs. */
export async function runningSupervisor(context: CommandContext): Promise<SupervisorClient | undefined> {
  return connectSupervisor(supervisorFiles(findProject(context).root).socket, context.version);
}
