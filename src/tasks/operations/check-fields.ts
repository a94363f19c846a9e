import { safeText } from "../../base/safe-text.ts";
import { collapse } from "../model/tracked-fields.ts";
import type { Draft } from "../planning/draft.ts";
import { canonicalId, writtenId } from "../model/task-id.ts";
import type { NewTask } from "../model/stored-task.ts";
import type { TaskFailure } from "../model/task-operation.ts";
import { failure } from "./outcome.ts";

const LONGEST_TITLE = 300;
const LONGEST_LANGUAGE = 40;
const LONGEST_EFFORT = 100;
const LONGEST_DESCRIPTION = 20_000;

export interface CheckedFields {
  readonly title?: string;
  readonly description?: string;
  readonly language?: string;
  readonly priority?: string;
  readonly effort?: string;
  readonly dependencies?: readonly (number | string)[];
}

/** The fields of a task as they will be stored, or why they cannot be. `id` names the task in the message. */
export function checkFields(
  draft: Draft,
  id: string,
  fields: Omit<Partial<NewTask>, "parent">,
): CheckedFields | TaskFailure {
  const { title, description, language, priority, effort, dependencies } = fields;
  const problem =
    lineProblem("title", title, LONGEST_TITLE) ??
    lineProblem("language", language, LONGEST_LANGUAGE) ??
    effortProblem(effort) ??
    priorityProblem(priority) ??
    descriptionProblem(description);
  if (problem !== undefined) return invalid(id, problem);
  const ids = dependencies === undefined ? undefined : checkDependencies(draft, id, dependencies);
  if (ids !== undefined && "code" in ids) return ids;
  return {
    ...(title === undefined ? {} : { title: collapse(title) }),
    ...(description === undefined ? {} : { description }),
    ...(language === undefined ? {} : { language: collapse(language) }),
    ...(priority === undefined ? {} : { priority: priority.trim().toLowerCase() }),
    ...(effort === undefined ? {} : { effort: collapse(effort) }),
    ...(ids === undefined ? {} : { dependencies: ids }),
  };
}

export function isFailure(value: CheckedFields | TaskFailure): value is TaskFailure {
  return "code" in value;
}

/** Fields with rules of their own cannot be set past them. */
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

export function extraProblem(id: string, extra: Readonly<Record<string, unknown>>): TaskFailure | undefined {
  const name = Object.keys(extra).find((key) => key === "" || ownFields.has(key));
  return name === undefined
    ? undefined
    : invalid(id, `"${name}" is no further field; it has its own way to be set`);
}

function invalid(id: string, problem: string): TaskFailure {
  return failure(id, "TASK_INVALID", [problem, "Correct it and run the command again; nothing was changed."]);
}

function lineProblem(name: string, value: string | undefined, longest: number): string | undefined {
  if (value === undefined) return undefined;
  const text = collapse(value);
  if (text === "") return `The ${name} is empty`;
  if (text.length > longest) return `The ${name} has ${text.length} characters; the limit is ${longest}`;
  return safeText(text) === text ? undefined : `The ${name} has control characters or hidden ones`;
}

function effortProblem(value: string | undefined): string | undefined {
  return value === undefined || collapse(value) === ""
    ? undefined
    : lineProblem("effort", value, LONGEST_EFFORT);
}

function priorityProblem(value: string | undefined): string | undefined {
  const word = value?.trim().toLowerCase();
  if (word === undefined || word === "low" || word === "medium" || word === "high") return undefined;
  return `"${value}" is no priority; there are low, medium and high`;
}

function descriptionProblem(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (value.length > LONGEST_DESCRIPTION) {
    return `The description has ${value.length} characters; the limit is ${LONGEST_DESCRIPTION}`;
  }
  const text = collapse(value);
  return safeText(text) === text ? undefined : "The description has control characters or hidden ones";
}

/** Each is a task that is known, none is the task itself, and none waits for it. */
function checkDependencies(
  draft: Draft,
  id: string,
  dependencies: readonly (number | string)[],
): readonly (number | string)[] | TaskFailure {
  const ids = new Set<string>();
  for (const dependency of dependencies) {
    const other = canonicalId(dependency);
    if (other === undefined || (draft.active(other) ?? draft.archived(other)) === undefined) {
      const advice = "Name tasks that ambit task list shows; nothing was changed.";
      return failure(id, "DEPENDENCY_UNKNOWN", [
        `Task ${dependency}, which it should wait for, is not known`,
        advice,
      ]);
    }
    ids.add(other);
  }
  const path = findCycle(draft, id, ids);
  if (path === undefined) return [...ids].map(writtenId);
  const advice = "Take one of these dependencies away; nothing was changed.";
  return failure(id, "CYCLE_DETECTED", [`The tasks would wait for each other: ${path.join(" → ")}`, advice]);
}

function findCycle(draft: Draft, id: string, first: ReadonlySet<string>): readonly string[] | undefined {
  const cameFrom = new Map<string, string>([...first].map((other) => [other, id]));
  const waiting = [...first];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (at === id) return pathTo(cameFrom, id);
    const list = draft.active(at)?.["dependencies"];
    for (const item of Array.isArray(list) ? list : []) {
      const next = canonicalId(item);
      if (next === undefined || cameFrom.has(next)) continue;
      cameFrom.set(next, at);
      waiting.push(next);
    }
  }
  return undefined;
}

function pathTo(cameFrom: ReadonlyMap<string, string>, id: string): readonly string[] {
  const path = [id];
  let at = cameFrom.get(id);
  while (at !== undefined && at !== id) {
    path.unshift(at);
    at = cameFrom.get(at);
  }
  return [id, ...path];
}
