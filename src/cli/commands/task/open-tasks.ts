import { openProjectTasks } from "../../../orchestrator/project-tasks.ts";
import type { ChangeOptions, TaskStore } from "../../../tasks/task-store.ts";
import type { CommandContext, Invocation } from "../../command-module.ts";
import { onlyPeople } from "../work/only-people.ts";
import { findTaskFolder } from "./find-task-folder.ts";

/** The project's tasks to change. A worker's word changes no task: the runtime settles what it worked on. */
export async function openTasks(context: CommandContext): Promise<TaskStore> {
  onlyPeople(context, "changes no tasks");
  const { projectRoot, folder } = await findTaskFolder(context);
  const host = {
    searchPath: context.environment["PATH"] ?? "/usr/bin:/bin",
    home: context.homeDirectory ?? "/",
  };
  return openProjectTasks({ projectRoot, dir: folder, host });
}

export function changeOptions(invocation: Invocation): ChangeOptions {
  return { dryRun: invocation.flag("dryRun"), continueOnError: invocation.flag("continueOnError") };
}
