import { findMarker, canonicalStatus } from "../markdown/status-marker.ts";
import type { TodoDocument, TodoEntry } from "../markdown/parse-todo.ts";
import type { Span } from "../markdown/lines.ts";
import type { Fields } from "../reading/is-record.ts";
import { canonicalId, canonicalIds } from "../reading/task-id.ts";
import { textOf } from "../reading/view-task.ts";

/** What both files say of a task, and what is therefore compared. */
export const trackedFields = [
  "title",
  "status",
  "language",
  "priority",
  "effort",
  "dependencies",
  "description",
] as const;
export type TrackedField = (typeof trackedFields)[number];

/** Comparable texts; undefined where a file says nothing. */
export type TrackedValues = Readonly<Record<TrackedField, string | undefined>>;

export function readStateValues(raw: Fields): TrackedValues {
  return {
    title: filled(collapse(textOf(raw, "title"))),
    status: filled(canonicalStatus(textOf(raw, "status"))),
    language: filled((textOf(raw, "language") || textOf(raw, "task_type")).trim()),
    priority: filled(textOf(raw, "priority").trim().toLowerCase()),
    effort: filled(collapse(textOf(raw, "effort"))),
    dependencies: Array.isArray(raw["dependencies"])
      ? canonicalIds(raw["dependencies"]).join(",")
      : undefined,
    description: filled(collapse(textOf(raw, "description"))),
  };
}

export function readTodoValues(document: TodoDocument, entry: TodoEntry): TrackedValues {
  const field = (name: TrackedField): string | undefined => {
    const span = findValue(document, entry, name);
    return span === undefined ? undefined : document.text.slice(span.start, span.end);
  };
  const dependencies = field("dependencies");
  return {
    title: filled(collapse(document.text.slice(entry.title.start, entry.title.end))),
    status: mapped(field("status"), canonicalStatus),
    language: filled(field("language")),
    priority: mapped(field("priority"), (text) => text.toLowerCase()),
    effort: mapped(field("effort"), collapse),
    dependencies: dependencies === undefined ? undefined : parseDependencies(dependencies),
    description: mapped(field("description"), collapse),
  };
}

const fieldNames: Readonly<Record<Exclude<TrackedField, "title">, readonly string[]>> = {
  status: ["status"],
  language: ["language", "task type"],
  priority: ["priority"],
  effort: ["effort"],
  dependencies: ["dependencies", "depends on"],
  description: ["description"],
};

/** Where TODO.md has the value of a field; of the status only its marker. */
export function findValue(document: TodoDocument, entry: TodoEntry, name: TrackedField): Span | undefined {
  if (name === "title") return entry.title;
  if (name === "description") return entry.description;
  const names = fieldNames[name];
  const field = entry.fields.find((candidate) => names.includes(candidate.name));
  if (name !== "status") return field?.value;
  if (field === undefined) return entry.headingMarker;
  const marker = findMarker(document.text.slice(field.value.start, field.value.end));
  return { start: field.value.start + marker.start, end: field.value.start + marker.end };
}

/** The line of a field in TODO.md, from 1; its heading's where it has none of its own. */
export function lineOf(entry: TodoEntry, name: TrackedField): number {
  if (name === "title") return entry.line;
  const names = fieldNames[name];
  return entry.fields.find((field) => names.includes(field.name))?.line ?? entry.line;
}

/** A file that says nothing of a field does not contradict the other. */
export function agree(field: TrackedField, state: string | undefined, todo: string | undefined): boolean {
  if (todo === undefined || state === todo) return true;
  if (state !== undefined) return false;
  // Tasks of other tools have their title in TODO.md alone; "None" needs no counterpart.
  return field === "title" || (field === "dependencies" && todo === "");
}

/** One blank for every run of white space, none at the ends. */
export function collapse(text: string): string {
  return text.trim().split(/\s+/).join(" ");
}

const noDependencies: ReadonlySet<string> = new Set(["", "none", "-", "--", "—", "n/a"]);
const fillers: ReadonlySet<string> = new Set(["task", "tasks", "and", "&"]);

/** `Task 5, #7 and 9` as "5,7,9"; undefined for a sentence, which is the reader's and not compared. */
function parseDependencies(text: string): string | undefined {
  if (noDependencies.has(text.trim().toLowerCase())) return "";
  const ids: string[] = [];
  for (const word of text.split(/[\s,;]+/)) {
    if (word === "" || fillers.has(word.toLowerCase())) continue;
    const id = canonicalId(word.startsWith("#") ? word.slice(1) : word);
    if (id === undefined || !/^[\w.-]*\d[\w.-]*$/.test(id)) return undefined;
    ids.push(id);
  }
  return ids.join(",");
}

function mapped(text: string | undefined, change: (text: string) => string): string | undefined {
  return text === undefined ? undefined : filled(change(text));
}

function filled(text: string | undefined): string | undefined {
  return text === undefined || text === "" ? undefined : text;
}
