import { taskErrors } from "../../errors/tasks.ts";
import { parseMarker } from "../model/markers.ts";
import type { TodoDocument, TodoEntry } from "../markdown/parse-todo.ts";
import type { Draft } from "../planning/draft.ts";
import type { Fields } from "../model/fields.ts";
import { toWrittenId } from "../model/task-id.ts";
import { findFieldLine, readTodoValues } from "../markdown/todo-values.ts";
import { type TrackedField } from "../model/tracked-fields.ts";

export interface TodoValue {
  readonly id: string;
  readonly field: TrackedField;
  readonly entry: TodoEntry;
  /** A person wrote it since the files agreed, so an unknown status is a typing error and not a word of another tool. */
  readonly isHandEdit: boolean;
}

/** Takes a value from TODO.md into state.json. */
export function takeFromTodo(draft: Draft, { id, field, entry, isHandEdit }: TodoValue): void {
  const { todo, place } = draft.sources;
  if (todo === undefined) return;
  const value = readTodoValues(todo, entry)[field];
  if (value === undefined) return;
  if (field === "status" && isHandEdit && parseMarker(value) === undefined) {
    throw taskErrors.statusUnknown(
      value,
      `${place.paths.todo} line ${findFieldLine(entry, field)}, task ${id}`,
    );
  }
  draft.setField(id, chooseStateKey(draft, id, field), toStateValue(field, value));
  draft.takenFromTodo.add(`${id} ${field}`);
}

/** The fields of a task that has only an entry in TODO.md. */
export function readEntryFields(todo: TodoDocument, entry: TodoEntry, languageKey: string): Fields {
  const values = readTodoValues(todo, entry);
  const fields: [string, unknown][] = [];
  for (const field of ["title", "status", "language", "priority", "effort", "description"] as const) {
    const value = values[field];
    if (value !== undefined) fields.push([field === "language" ? languageKey : field, value]);
  }
  if (values.dependencies !== undefined) {
    fields.push(["dependencies", toStateValue("dependencies", values.dependencies)]);
  }
  return Object.fromEntries(fields);
}

/** The name of a field in state.json: `task_type` for the language if the project uses that name. */
export function chooseStateKey(draft: Draft, id: string, field: TrackedField): string {
  if (field !== "language") return field;
  const raw = draft.findActive(id) ?? {};
  if (raw["language"] !== undefined) return "language";
  return raw["task_type"] === undefined ? chooseLanguageKey(draft) : "task_type";
}

export function chooseLanguageKey({ sources }: Draft): "language" | "task_type" {
  const tasks = [...sources.state.tasks.values()];
  if (tasks.some((raw) => raw["language"] !== undefined)) return "language";
  return tasks.some((raw) => raw["task_type"] !== undefined) ? "task_type" : "language";
}

function toStateValue(field: TrackedField, value: string): unknown {
  if (field !== "dependencies") return value;
  return value === "" ? [] : value.split(",").map(toWrittenId);
}
