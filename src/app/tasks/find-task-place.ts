import { findTaskFolder } from "../../config/find-task-folder.ts";
import { projectErrors } from "../../errors/project.ts";
import { findProjectRoot } from "../../project/find-project.ts";
import type { AppContext } from "../project/app-context.ts";

export interface TaskPlace {
  readonly projectRoot: string;
  /** Relative to the project, as configured. */
  readonly dir: string;
}

/** The project and its `tasks.dir`. */
export async function findTaskPlace(context: AppContext): Promise<TaskPlace> {
  const projectRoot = findProjectRoot(context.directory);
  if (projectRoot === undefined) throw projectErrors.notARepository(context.directory);
  const { environment, homeDirectory, configFile } = context;
  const dir = await findTaskFolder({ projectRoot, environment, homeDirectory, configFile });
  return { projectRoot, dir };
}
