import { taskListErrors } from "../../errors/work.ts";
import type { TaskReader } from "../../tasks/read-tasks.ts";
import type { StoredTask } from "../../tasks/task.ts";

const MAX_NAMED = 5;

/** The task with this id, active or archived; refuses an unknown one and names what there is instead. */
export function findTask(reader: TaskReader, id: string): StoredTask {
  const task = reader.find(id);
  if (task !== undefined) return task;
  const known = reader.list({ place: "active" }).map((one) => one.id);
  throw taskListErrors.taskNotFound(id, known.slice(-MAX_NAMED), reader.paths.state);
}
