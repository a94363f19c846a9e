import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseTodo } from "../../src/tasks/markdown/parse-todo.ts";
import { readTodoValues } from "../../src/tasks/markdown/todo-values.ts";
import { isConsistent, readStateValues, trackedFields } from "../../src/tasks/model/tracked-fields.ts";
import { parseArchive, parseState } from "../../src/tasks/files/state-file.ts";
import type { TaskChange } from "../../src/tasks/task.ts";

/** Compares the three records of one project: what each says of every active task. */
export function findDisagreements(root: string, changes: readonly TaskChange[]): readonly string[] {
  const text = (path: string): string | undefined =>
    existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined;
  const state = parseState(text("specs/state.json"), "state.json").tasks;
  const archive = parseArchive(text("specs/archive/state.json"), "archive").tasks;
  const todo = parseTodo(text("specs/TODO.md") ?? "", "TODO.md");
  const told = foldChanges(changes);
  const found: string[] = [];
  for (const id of todo.entries.keys()) if (!state.has(id)) found.push(`${id}: only in TODO.md`);
  for (const id of told.keys()) if (!state.has(id)) found.push(`${id}: only in the journal`);
  for (const id of archive.keys()) if (state.has(id)) found.push(`${id}: active and archived`);
  for (const [id, raw] of state) {
    const values = readStateValues(raw);
    const entry = todo.entries.get(id);
    const shown = entry === undefined ? undefined : readTodoValues(todo, entry);
    const heard = told.get(id);
    if (shown === undefined) found.push(`${id}: not in TODO.md`);
    if (heard === undefined) found.push(`${id}: not in the journal`);
    for (const field of trackedFields) {
      if (shown !== undefined && !isConsistent(field, values[field], shown[field])) {
        found.push(`${id}: ${field} is ${values[field]} in state.json, ${shown[field]} in TODO.md`);
      }
      const journalled = comparable(heard?.[field]);
      if (heard !== undefined && journalled !== (values[field] ?? "")) {
        found.push(`${id}: ${field} is ${values[field]} in state.json, ${journalled} in the journal`);
      }
    }
  }
  return found;
}

function foldChanges(changes: readonly TaskChange[]): Map<string, Record<string, unknown>> {
  const tasks = new Map<string, Record<string, unknown>>();
  for (const { taskId, kind, fields } of changes) {
    if (kind === "archived" || kind === "removed") tasks.delete(taskId);
    else tasks.set(taskId, kind === "changed" ? { ...tasks.get(taskId), ...fields } : { ...fields });
  }
  return tasks;
}

function comparable(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(",");
  return typeof value === "string" ? value.trim().split(/\s+/).join(" ") : "";
}
