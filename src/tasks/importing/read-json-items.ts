import { taskErrors } from "../../errors/tasks.ts";
import { type Fields, isRecord } from "../model/fields.ts";
import { canonicalId } from "../model/task-id.ts";
import { criteriaOf, textOf } from "../model/view-task.ts";
import { type ImportedItem, priorityOfWord, statusOfWord } from "./imported-item.ts";

/** Names under which tools keep their list. */
const listNames = ["active_projects", "tasks", "todos", "issues", "items"] as const;
const idNames = ["id", "project_number", "number", "key"] as const;
const titleNames = ["title", "name", "content", "text", "project_name", "summary"] as const;
const descriptionNames = ["description", "body", "details", "testStrategy"] as const;
const dependencyNames = ["dependencies", "depends_on", "dependsOn", "blocked_by"] as const;

/** Reads a JSON task file: a list, an object with one, or an object of tags with one each. */
export function readJsonItems(value: unknown, source: string): readonly ImportedItem[] {
  const lists = findLists(value);
  if (lists.length === 0) throw taskErrors.fileBroken(source, "no list of tasks was found in it");
  return lists.flatMap(({ prefix, list }) =>
    list.flatMap((item, index) => readItem(item, { prefix, index, parent: undefined })),
  );
}

interface FoundList {
  readonly prefix: string;
  readonly list: readonly unknown[];
}

function findLists(value: unknown): readonly FoundList[] {
  if (Array.isArray(value)) return [{ prefix: "", list: value }];
  if (!isRecord(value)) return [];
  const own = listIn(value);
  if (own !== undefined) return [{ prefix: "", list: own }];
  const tagged = Object.entries(value).flatMap(([tag, inner]) => {
    const list = isRecord(inner) ? listIn(inner) : undefined;
    return list === undefined ? [] : [{ tag, list }];
  });
  return tagged.map(({ tag, list }) => ({ prefix: tagged.length === 1 ? "" : `${tag}:`, list }));
}

function listIn(value: Fields): readonly unknown[] | undefined {
  for (const name of listNames) {
    const list = value[name];
    if (!Array.isArray(list)) continue;
    const items: readonly unknown[] = list;
    return items;
  }
  return undefined;
}

interface ItemPlace {
  readonly prefix: string;
  readonly index: number;
  readonly parent: string | undefined;
}

function readItem(item: unknown, { prefix, index, parent }: ItemPlace): readonly ImportedItem[] {
  const fields = typeof item === "string" ? { title: item } : item;
  if (!isRecord(fields)) return [];
  const own = firstText(fields, idNames) || String(index + 1);
  const id = parent === undefined ? `${prefix}${own}` : `${parent}.${own}`;
  const near = parent === undefined ? prefix : `${parent}.`;
  const whole: ImportedItem = {
    id,
    title: firstText(fields, titleNames),
    description: allTexts(fields, descriptionNames),
    status: statusOfWord(textOf(fields, "status") || textOf(fields, "state")),
    priority: priorityOfWord(textOf(fields, "priority")),
    language: textOf(fields, "language") || textOf(fields, "task_type") || "general",
    dependencies: dependenciesOf(fields).map((other) =>
      other.includes(".") ? `${prefix}${other}` : `${near}${other}`,
    ),
    parent,
    criteria: criteriaOf(fields),
  };
  const parts: readonly unknown[] = Array.isArray(fields["subtasks"]) ? fields["subtasks"] : [];
  // A list of numbers only names tasks that stand in the list themselves.
  const nested = parts.filter(isRecord);
  return [whole, ...nested.flatMap((part, at) => readItem(part, { prefix, index: at, parent: id }))];
}

function firstText(fields: Fields, names: readonly string[]): string {
  for (const name of names) {
    const text = textOf(fields, name);
    if (text.trim() !== "") return text;
  }
  return "";
}

/** Tools that plan in several fields have one task all the same. */
function allTexts(fields: Fields, names: readonly string[]): string {
  return names
    .map((name) => textOf(fields, name))
    .filter((text) => text.trim() !== "")
    .join("\n\n");
}

function dependenciesOf(fields: Fields): readonly string[] {
  for (const name of dependencyNames) {
    const list = fields[name];
    if (!Array.isArray(list)) continue;
    const items: readonly unknown[] = list;
    return items.flatMap((item) => canonicalId(item) ?? []);
  }
  return [];
}
