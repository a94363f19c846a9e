import { join } from "node:path";
import { openTaskReader, type TaskReader } from "../../../tasks/read-tasks.ts";
import type { CommandContext } from "../../command-module.ts";
import { findTaskFolder } from "./find-task-folder.ts";

/** The project's tasks to look at: no lock, no store, nothing is written. */
export async function openReader(context: CommandContext): Promise<TaskReader> {
  const { projectRoot, folder } = await findTaskFolder(context);
  const stateDirectory = join(projectRoot, ".ambit", "state");
  return openTaskReader({ projectRoot, dir: folder, stateDirectory });
}
