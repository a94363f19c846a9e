import { dropUndefined } from "../../base/json.ts";
import { safeText } from "../../base/safe-text.ts";
import { collapseSpace } from "../model/tracked-fields.ts";
import type { Draft } from "../planning/draft.ts";
import { normalizeId, toWrittenId } from "../model/task-id.ts";
import type { NewTask, TaskMetadata } from "../model/stored-task.ts";
import type { TaskFailure } from "../model/task-operation.ts";
import { makeFailure } from "./outcome.ts";

export const MAX_TITLE_LENGTH = 300;
const MAX_LANGUAGE_LENGTH = 40;
const MAX_EFFORT_LENGTH = 100;
export const MAX_DESCRIPTION_LENGTH = 20_000;

export type CheckedFields = Omit<TaskMetadata, "extra">;

/** The fields of a task as they will be stored, or the reason why not. `id` names the task in the message. */
export function checkFields(
  draft: Draft,
  id: string,
  fields: Omit<Partial<NewTask>, "parent">,
): CheckedFields | TaskFailure {
  const { title, description, language, priority, effort, dependencies } = fields;
  const problem =
    checkTextLine("title", title, MAX_TITLE_LENGTH) ??
    checkTextLine("language", language, MAX_LANGUAGE_LENGTH) ??
    checkEffort(effort) ??
    checkPriority(priority) ??
    checkDescription(description);
  if (problem !== undefined) return refuseInvalid(id, problem);
  const ids = dependencies === undefined ? undefined : checkDependencies(draft, id, dependencies);
  if (ids !== undefined && "code" in ids) return ids;
  return dropUndefined({
    title: title === undefined ? undefined : collapseSpace(title),
    description,
    language: language === undefined ? undefined : collapseSpace(language),
    priority: priority?.trim().toLowerCase(),
    effort: effort === undefined ? undefined : collapseSpace(effort),
    dependencies: ids,
  });
}

export function isFailure(value: CheckedFields | TaskFailure): value is TaskFailure {
  return "code" in value;
}

/** Fields with their own rules cannot be set as extra fields. */
const ownFields: ReadonlySet<string> = new Set([
  "project_number",
  "project_name",
  "status",
  "title",
  "description",
  "language",
  "task_type",
  "priority",
  "effort",
  "dependencies",
  "artifacts",
  "archived",
  "archive_reason",
  "todo_entry",
]);

export function checkExtraFields(
  id: string,
  extra: Readonly<Record<string, unknown>>,
): TaskFailure | undefined {
  const name = Object.keys(extra).find((key) => key === "" || ownFields.has(key));
  return name === undefined
    ? undefined
    : refuseInvalid(id, `"${name}" cannot be set as an extra field; it has its own option`);
}

function refuseInvalid(id: string, problem: string): TaskFailure {
  return makeFailure(id, "TASK_INVALID", [
    problem,
    "Correct it and run the command again; nothing was changed.",
  ]);
}

function checkTextLine(name: string, value: string | undefined, longest: number): string | undefined {
  if (value === undefined) return undefined;
  const text = collapseSpace(value);
  if (text === "") return `The ${name} is empty`;
  if (text.length > longest) return `The ${name} has ${text.length} characters; the limit is ${longest}`;
  return safeText(text) === text ? undefined : `The ${name} has control or invisible characters`;
}

function checkEffort(value: string | undefined): string | undefined {
  return value === undefined || collapseSpace(value) === ""
    ? undefined
    : checkTextLine("effort", value, MAX_EFFORT_LENGTH);
}

function checkPriority(value: string | undefined): string | undefined {
  const word = value?.trim().toLowerCase();
  if (word === undefined || word === "low" || word === "medium" || word === "high") return undefined;
  return `"${value}" is not a priority; use low, medium or high`;
}

function checkDescription(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (value.length > MAX_DESCRIPTION_LENGTH) {
    return `The description has ${value.length} characters; the limit is ${MAX_DESCRIPTION_LENGTH}`;
  }
  const text = collapseSpace(value);
  return safeText(text) === text ? undefined : "The description has control or invisible characters";
}

/** Each dependency must be a known task, and must not wait for this one. */
function checkDependencies(
  draft: Draft,
  id: string,
  dependencies: readonly (number | string)[],
): readonly (number | string)[] | TaskFailure {
  const ids = new Set<string>();
  for (const dependency of dependencies) {
    const other = normalizeId(dependency);
    if (other === undefined || (draft.findActive(other) ?? draft.findArchived(other)) === undefined) {
      const advice = "Name tasks that ambit task list shows; nothing was changed.";
      return makeFailure(id, "DEPENDENCY_UNKNOWN", [
        `The dependency ${dependency} is not a known task`,
        advice,
      ]);
    }
    ids.add(other);
  }
  const path = findDependencyCycle(draft, id, ids);
  if (path === undefined) return [...ids].map(toWrittenId);
  const advice = "Remove one of these dependencies; nothing was changed.";
  return makeFailure(id, "CYCLE_DETECTED", [
    `The tasks would wait for each other: ${path.join(" → ")}`,
    advice,
  ]);
}

function findDependencyCycle(
  draft: Draft,
  id: string,
  first: ReadonlySet<string>,
): readonly string[] | undefined {
  const cameFrom = new Map<string, string>([...first].map((other) => [other, id]));
  const waiting = [...first];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (at === id) return traceCyclePath(cameFrom, id);
    const list = draft.findActive(at)?.["dependencies"];
    for (const item of Array.isArray(list) ? list : []) {
      const next = normalizeId(item);
      if (next === undefined || cameFrom.has(next)) continue;
      cameFrom.set(next, at);
      waiting.push(next);
    }
  }
  return undefined;
}

function traceCyclePath(cameFrom: ReadonlyMap<string, string>, id: string): readonly string[] {
  const path = [id];
  let at = cameFrom.get(id);
  while (at !== undefined && at !== id) {
    path.unshift(at);
    at = cameFrom.get(at);
  }
  return [id, ...path];
}
