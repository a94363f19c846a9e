import { supervisorErrors } from "../errors/supervisor.ts";
import type { TaskReader } from "./read-tasks.ts";
import type { StoredTask } from "./task.ts";

const MAX_TASKS = 100;

/** The project's tasks as agents see them; or one of them by its id, in full. */
export function describeTasks(reader: TaskReader, id: string | undefined): object {
  const tasks = reader.list({ withTodo: true });
  if (id === undefined) {
    const shown = tasks.slice(0, MAX_TASKS).map(describeShort);
    return { tasks: shown, more_tasks: tasks.length - shown.length };
  }
  const task = reader.find(id) ?? tasks.find((one) => one.id === id);
  if (task === undefined) throw supervisorErrors.unknownTask(id);
  return { task: { ...describeShort(task), ...describeRest(task) } };
}

function describeShort({ id, title, status, statusText, language, priority }: StoredTask): object {
  return { id, title, status: status === "unknown" ? statusText : status, language, priority };
}

function describeRest({
  description,
  effort,
  dependencies,
  parent,
  subtasks,
  artifacts,
}: StoredTask): object {
  return { description, effort, dependencies, parent: parent ?? null, subtasks, artifacts };
}
