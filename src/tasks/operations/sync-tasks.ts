import type { Sources } from "../planning/sources.ts";
import type { TaskSelection } from "../model/stored-task.ts";
import { countTasks, makeFailure, type Operation } from "./outcome.ts";
import { selectTasks } from "./select-tasks.ts";

/** Makes both files equal for the selected tasks, even if they differed before the store first saw them. */
export function syncTasks(selection: TaskSelection): Operation {
  return {
    name: "sync_tasks",
    synced: (sources) => {
      const selected = selectTasks(selection, (id) => isKnownTask(sources, id));
      if (selected === "all") return () => true;
      const ids = new Set(selected);
      return (id) => ids.has(id);
    },
    plan: (draft) => {
      const selected = selectTasks(selection, (id) => isKnownTask(draft.sources, id));
      const ids = selected === "all" ? draft.listActiveIds() : selected;
      const missing = ids.filter(
        (id) => !isKnownTask(draft.sources, id) && draft.findActive(id) === undefined,
      );
      const { paths } = draft.sources.place;
      return {
        taskIds: ids,
        succeeded: ids.filter((id) => !missing.includes(id)),
        failures: missing.map((id) =>
          makeFailure(id, "TASK_NOT_FOUND", [
            `Task ${id} is neither in ${paths.state} nor in ${paths.todo}`,
            "ambit task list shows the tasks; nothing was changed.",
          ]),
        ),
        summary: (conflicts) =>
          `Synced ${countTasks(ids.length - missing.length)}${conflicts === 0 ? "" : `, resolved ${countTasks(conflicts, "conflict")} using git blame`}`,
      };
    },
  };
}

/** Changes nothing itself: running any operation finishes the last change and imports hand edits. */
export const refreshTasks: Operation = {
  name: "refresh_tasks",
  plan: () => ({ taskIds: [], succeeded: [], failures: [], summary: () => "The task list is up to date" }),
};

function isKnownTask({ state, todo }: Sources, id: string): boolean {
  return state.tasks.has(id) || todo?.entries.has(id) === true;
}
