import { getStateDirectory } from "../../project/state-directory.ts";
import { openTaskReader, type TaskReader } from "../../tasks/read-tasks.ts";
import type { TaskStore } from "../../tasks/task-store.ts";
import type { AppContext } from "../project/app-context.ts";
import { findTaskPlace } from "./find-task-place.ts";

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
