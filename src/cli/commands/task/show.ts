import { exitCode } from "../../../contract/exit-code.ts";
import type { TaskReader } from "../../../tasks/read-tasks.ts";
import type { StoredTask } from "../../../tasks/task.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { renderTaskCard } from "../../render/task-card.ts";
import { openReader } from "./open-reader.ts";
import { taskNotFound } from "./task-not-found.ts";
import { wireTask } from "./wire-task.ts";

export async function showTask(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const reader = await openReader(context);
  const id = invocation.argument("task").replace(/^#/, "");
  const task = reader.find(id);
  if (task === undefined) throw taskNotFound(id, reader);
  const folder = reader.folderOf(task);
  return {
    exitCode: exitCode.completed,
    json: {
      ...wireTask(task),
      description: task.description,
      criteria: task.criteria,
      effort: task.effort,
      folder,
      fields: task.raw,
    },
    text: context.json ? "" : cardOf(task, reader, folder),
  };
}

function cardOf(task: StoredTask, reader: TaskReader, folder: string): string {
  const named = [...task.dependencies, ...task.subtasks, ...(task.parent === undefined ? [] : [task.parent])];
  const related = new Map(named.map((id) => [id, reader.find(id)]));
  return renderTaskCard(task, { folder, related });
}
