import { taskListErrors } from "../../errors/work.ts";
import type { TaskReader } from "../../tasks/read-tasks.ts";
import type { StoredTask } from "../../tasks/task.ts";

const MAX_NAMED = 5;

/** The task with this id, active or archived; refuses an unknown one and names what there is instead. */
export function findTask(reader: TaskReader, id: string): StoredTask {
  const task = findListedTask(reader, id);
  if (task.isOnlyInTodo === true) throw taskListErrors.taskOnlyInTodo(task.id, reader.paths);
  return task;
}

/** The same, also for an entry of TODO.md that state.json lacks. */
export function findListedTask(reader: TaskReader, id: string): StoredTask {
  const task = reader.find(id);
  if (task !== undefined) return task;
  const known = reader.list({ place: "active", withTodo: true });
  const entry = known.find((one) => one.isOnlyInTodo === true && one.id === id);
  if (entry !== undefined) return entry;
  const newest = known.slice(-MAX_NAMED).map((one) => one.id);
  throw taskListErrors.taskNotFound(id, newest, reader.paths.state);
}
