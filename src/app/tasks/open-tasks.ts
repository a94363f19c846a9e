import { getStateDirectory } from "../../project/state-directory.ts";
import { openTaskReader, type TaskReader } from "../../tasks/read-tasks.ts";
import type { TaskStore } from "../../tasks/task-store.ts";
import { findTaskFolder } from "../../config/find-task-folder.ts";
import { projectErrors } from "../../errors/project.ts";
import { findProjectRoot } from "../../project/find-project.ts";
import type { AppContext } from "../project/app-context.ts";

/** The project's tasks to read: no lock, no store, nothing is written. */
export async function readTasks(context: AppContext): Promise<TaskReader> {
  const place = await findTaskPlace(context);
  return openTaskReader({ ...place, stateDirectory: getStateDirectory(place.projectRoot) });
}

/** The project's tasks to change. Loaded only then, as it brings git and the journal along. */
export async function openTasks(context: AppContext): Promise<TaskStore> {
  const { openProjectTasks } = await import("../../orchestrator/project-tasks.ts");
  const { environment } = context;
  const host = { searchPath: environment["PATH"] ?? "/usr/bin:/bin", home: context.homeDirectory ?? "/" };
  return openProjectTasks({ ...(await findTaskPlace(context)), host, environment });
}

interface TaskPlace {
  readonly projectRoot: string;
  /** Relative to the project, as configured. */
  readonly dir: string;
}

/** The project and its `tasks.dir`. */
async function findTaskPlace(context: AppContext): Promise<TaskPlace> {
  const projectRoot = findProjectRoot(context.directory);
  if (projectRoot === undefined) throw projectErrors.notARepository(context.directory);
  const { environment, homeDirectory, configFile } = context;
  const dir = await findTaskFolder({ projectRoot, environment, homeDirectory, configFile });
  return { projectRoot, dir };
}
