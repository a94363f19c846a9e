import { taskErrors } from "../../errors/tasks.ts";
import { isRecord } from "../../base/json.ts";
import { type Fields, toList } from "../model/fields.ts";
import { normalizeIds } from "../model/task-id.ts";
import { readCriteria, readTextField } from "../model/view-task.ts";
import { type ImportedItem, parsePriorityWord, parseStatusWord } from "./imported-item.ts";

/** The names of the list in files of other tools. */
const listNames = ["active_projects", "tasks", "todos", "issues", "items"] as const;
const idNames = ["id", "project_number", "number", "key"] as const;
const titleNames = ["title", "name", "content", "text", "project_name", "summary"] as const;
const descriptionNames = ["description", "body", "details", "testStrategy"] as const;
const dependencyNames = ["dependencies", "depends_on", "dependsOn", "blocked_by"] as const;

/** Reads a JSON task file: a list, an object with a list, or an object of tags with a list each. */
export function readJsonItems(value: unknown, source: string): readonly ImportedItem[] {
  const lists = findTaskLists(value);
  if (lists.length === 0) throw taskErrors.fileBroken(source, "it has no list of tasks");
  return lists.flatMap(({ prefix, list }) =>
    list.flatMap((item, index) => readJsonItem(item, { prefix, index, parent: undefined })),
  );
}

interface FoundList {
  readonly prefix: string;
  readonly list: readonly unknown[];
}

function findTaskLists(value: unknown): readonly FoundList[] {
  if (Array.isArray(value)) return [{ prefix: "", list: value }];
  if (!isRecord(value)) return [];
  const own = findOwnList(value);
  if (own !== undefined) return [{ prefix: "", list: own }];
  const tagged = Object.entries(value).flatMap(([tag, inner]) => {
    const list = isRecord(inner) ? findOwnList(inner) : undefined;
    return list === undefined ? [] : [{ tag, list }];
  });
  return tagged.map(({ tag, list }) => ({ prefix: tagged.length === 1 ? "" : `${tag}:`, list }));
}

function findOwnList(value: Fields): readonly unknown[] | undefined {
  for (const name of listNames) {
    const list = value[name];
    if (Array.isArray(list)) return toList(list);
  }
  return undefined;
}

interface ItemPlace {
  readonly prefix: string;
  readonly index: number;
  readonly parent: string | undefined;
}

function readJsonItem(item: unknown, { prefix, index, parent }: ItemPlace): readonly ImportedItem[] {
  const fields = typeof item === "string" ? { title: item } : item;
  if (!isRecord(fields)) return [];
  const own = readFirstText(fields, idNames) || String(index + 1);
  const id = parent === undefined ? `${prefix}${own}` : `${parent}.${own}`;
  const near = parent === undefined ? prefix : `${parent}.`;
  const whole: ImportedItem = {
    id,
    title: readFirstText(fields, titleNames),
    description: joinFilledTexts(fields, descriptionNames),
    status: parseStatusWord(readTextField(fields, "status") || readTextField(fields, "state")),
    priority: parsePriorityWord(readTextField(fields, "priority")),
    language: readTextField(fields, "language") || readTextField(fields, "task_type") || "general",
    dependencies: readDependencies(fields).map((other) =>
      other.includes(".") ? `${prefix}${other}` : `${near}${other}`,
    ),
    parent,
    criteria: readCriteria(fields),
  };
  // Plain numbers refer to tasks that are in the list themselves.
  const nested = toList(fields["subtasks"]).filter(isRecord);
  return [whole, ...nested.flatMap((part, at) => readJsonItem(part, { prefix, index: at, parent: id }))];
}

function readFirstText(fields: Fields, names: readonly string[]): string {
  for (const name of names) {
    const text = readTextField(fields, name);
    if (text.trim() !== "") return text;
  }
  return "";
}

/** Some tools split one description into several fields. */
function joinFilledTexts(fields: Fields, names: readonly string[]): string {
  return names
    .map((name) => readTextField(fields, name))
    .filter((text) => text.trim() !== "")
    .join("\n\n");
}

function readDependencies(fields: Fields): readonly string[] {
  for (const name of dependencyNames) {
    const list = fields[name];
    if (Array.isArray(list)) return normalizeIds(list);
  }
  return [];
}
