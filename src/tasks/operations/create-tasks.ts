import { journalFields } from "../merging/record-imports.ts";
import { chooseLanguageKey } from "../merging/take-from-todo.ts";
import type { Draft } from "../planning/draft.ts";
import { makeTitleSlug } from "../model/slug.ts";
import type { Fields } from "../model/fields.ts";
import { normalizeId, normalizeIds, toWrittenId } from "../model/task-id.ts";
import type { NewTask } from "../model/stored-task.ts";
import type { TaskFailure } from "../model/task-operation.ts";
import { checkFields, isFailure } from "./check-fields.ts";
import type { Operation } from "./outcome.ts";
import { findActiveTask, isTaskFailure } from "./update-tasks.ts";

export function createTask(task: NewTask): Operation {
  return {
    name: "create_task",
    plan: (draft) => {
      const made = addTaskToDraft(draft, task, {});
      if (typeof made !== "string") {
        return { taskIds: [], succeeded: [], failures: [made], summary: () => "No task was created" };
      }
      return { taskIds: [made], succeeded: [made], failures: [], summary: () => `Created task ${made}` };
    },
  };
}

/** Adds one task to the plan and returns its id. `further` goes into its entry in state.json unchanged. */
export function addTaskToDraft(draft: Draft, task: NewTask, further: Fields): string | TaskFailure {
  const fields = checkFields(draft, "new", task);
  if (isFailure(fields)) return fields;
  const parent = task.parent === undefined ? undefined : normalizeId(task.parent);
  const parentTask = parent === undefined ? undefined : findActiveTask(draft, parent);
  if (parentTask !== undefined && isTaskFailure(parentTask)) return parentTask;
  const id = String(draft.takeNextNumber());
  const { title = "", language = "general", priority = "medium", ...rest } = fields;
  const { criteria = [] } = task;
  const raw: Fields = {
    project_number: toWrittenId(id),
    project_name: makeTitleSlug(title),
    title,
    status: "not_started",
    [chooseLanguageKey(draft)]: language,
    priority,
    ...removeEmptyFields(rest),
    ...(criteria.length === 0 ? {} : { criteria: [...criteria] }),
    ...(parent === undefined ? {} : { parent_task: toWrittenId(parent) }),
    created: draft.now,
    last_updated: draft.now,
    artifacts: [],
    ...further,
  };
  draft.createTask(id, raw);
  if (parent !== undefined) addSubtasks(draft, parent, [id]);
  draft.changes.push({
    taskId: id,
    kind: "created",
    source: "store",
    fields: { ...journalFields(raw), ...(parent === undefined ? {} : { parent_task: parent }) },
    before: {},
  });
  return id;
}

/** Adds the parts to the list in their parent. */
function addSubtasks(draft: Draft, parent: string, ids: readonly string[]): void {
  const known = normalizeIds(draft.findActive(parent)?.["subtasks"]);
  draft.setField(parent, "subtasks", [...new Set([...known, ...ids])].map(toWrittenId));
}

function removeEmptyFields(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== "" && value !== undefined),
  );
}
