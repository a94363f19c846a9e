import { DelegationError } from "../../../base/delegation-error.ts";
import type { TaskReader } from "../../../tasks/read-tasks.ts";
import { excerpt } from "../../../base/visible-text.ts";

const SHOWN = 5;

/** The words of R66, with what there is instead. */
export function taskNotFound(id: string, reader: TaskReader): DelegationError {
  const known = reader.list({ place: "active" }).map((task) => task.id);
  const newest = known.slice(-SHOWN).join(", ");
  return new DelegationError({
    code: "TASK_NOT_FOUND",
    message: `Task ${excerpt(id)} not found in TODO.md`,
    recommendation:
      known.length === 0
        ? `There are no tasks in ${reader.paths.state}. Add one: ambit task add "What is to be done".`
        : `The newest are ${newest}; ambit task list shows all, --archived those that are archived.`,
  });
}
