import { journalFields } from "../merging/record-imports.ts";
import { languageKeyOf } from "../merging/take-from-todo.ts";
import type { Draft } from "../planning/draft.ts";
import { slugOf } from "../model/slug.ts";
import type { Fields } from "../model/fields.ts";
import { canonicalId, canonicalIds, writtenId } from "../model/task-id.ts";
import type { NewTask } from "../model/stored-task.ts";
import type { TaskFailure } from "../model/task-operation.ts";
import { checkFields, isFailure } from "./check-fields.ts";
import type { Operation } from "./outcome.ts";
import { activeTask, isRefused } from "./update-tasks.ts";

export function createTask(task: NewTask): Operation {
  return {
    name: "create_task",
    plan: (draft) => {
      const made = addTask(draft, task, {});
      if (typeof made !== "string") {
        return { taskIds: [], succeeded: [], failures: [made], summary: () => "No task was created" };
      }
      return { taskIds: [made], succeeded: [made], failures: [], summary: () => `Created task ${made}` };
    },
  };
}

/** Adds one task to the plan and answers its id. `further` goes into its entry of state.json as it is. */
export function addTask(draft: Draft, task: NewTask, further: Fields): string | TaskFailure {
  const fields = checkFields(draft, "new", task);
  if (isFailure(fields)) return fields;
  const parent = task.parent === undefined ? undefined : canonicalId(task.parent);
  const parentTask = parent === undefined ? undefined : activeTask(draft, parent);
  if (parentTask !== undefined && isRefused(parentTask)) return parentTask;
  const id = String(draft.takeNumber());
  const { title = "", language = "general", priority = "medium", ...rest } = fields;
  const { criteria = [] } = task;
  const raw: Fields = {
    project_number: writtenId(id),
    project_name: slugOf(title),
    title,
    status: "not_started",
    [languageKeyOf(draft)]: language,
    priority,
    ...withoutEmpty(rest),
    ...(criteria.length === 0 ? {} : { criteria: [...criteria] }),
    ...(parent === undefined ? {} : { parent_task: writtenId(parent) }),
    created: draft.now,
    last_updated: draft.now,
    artifacts: [],
    ...further,
  };
  draft.create(id, raw);
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

/** Names the parts in their whole. */
export function addSubtasks(draft: Draft, parent: string, ids: readonly string[]): void {
  const known = canonicalIds(draft.active(parent)?.["subtasks"]);
  draft.set(parent, "subtasks", [...new Set([...known, ...ids])].map(writtenId));
}

function withoutEmpty(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== "" && value !== undefined),
  );
}
