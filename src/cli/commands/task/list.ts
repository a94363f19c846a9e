import { exitCode } from "../../../contract/exit-code.ts";
import type { StoredTask } from "../../../tasks/task.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { renderTaskList, type TaskRow } from "../../render/task-list.ts";
import { terminalWidth } from "../../render/terminal-width.ts";
import { openReader } from "./open-reader.ts";
import { readFilter } from "./read-filter.ts";
import { wireTask } from "./wire-task.ts";

export async function listTasks(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const matches = readFilter(invocation);
  const reader = await openReader(context);
  const place = invocation.flag("archived") ? "archived" : "active";
  const all = reader.list({ place });
  const tasks = all.filter(matches).toSorted(byNumber);
  return {
    exitCode: exitCode.completed,
    // A thousand tasks are not put into words that nobody reads, nor the other way round.
    json: context.json ? { tasks: tasks.map(wireTask), count: tasks.length, total: all.length } : {},
    text: context.json ? "" : renderList(context, { tasks, total: all.length, place }),
  };
}

/** Files have the newest first or last, as tools like it; ids that are no numbers come after all others. */
function byNumber(one: StoredTask, other: StoredTask): number {
  return (one.number ?? Number.MAX_SAFE_INTEGER) - (other.number ?? Number.MAX_SAFE_INTEGER);
}

interface Listing {
  readonly tasks: readonly StoredTask[];
  readonly total: number;
  readonly place: "active" | "archived";
}

function renderList(context: CommandContext, { tasks, total, place }: Listing): string {
  if (total === 0) {
    return place === "archived"
      ? "Nothing is archived."
      : 'There are no tasks yet. Add one: ambit task add "What is to be done"';
  }
  if (tasks.length === 0) return `None of the ${total} ${place} tasks matches.`;
  const rows = tasks.map((task) => (task.status === "unknown" ? nameOwnStatus(task) : task));
  return renderTaskList(rows, { ascii: context.ascii, width: terminalWidth(context.environment) });
}

/** The word of another tool, marked as one nobody here knows. */
function nameOwnStatus({ id, title, statusText, priority, language }: StoredTask): TaskRow {
  return { id, title, status: `${statusText}?`, priority, language };
}
