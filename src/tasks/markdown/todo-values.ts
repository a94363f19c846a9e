import { normalizeStatus } from "../model/markers.ts";
import { normalizeId } from "../model/task-id.ts";
import {
  collapseSpace,
  emptyToUndefined,
  type TrackedField,
  type TrackedValues,
} from "../model/tracked-fields.ts";
import { findMarker } from "./status-marker.ts";
import type { Span } from "./lines.ts";
import type { TodoDocument, TodoEntry } from "./parse-todo.ts";

export function readTodoValues(document: TodoDocument, entry: TodoEntry): TrackedValues {
  const field = (name: TrackedField): string | undefined => {
    const span = findValueSpan(document, entry, name);
    return span === undefined ? undefined : document.text.slice(span.start, span.end);
  };
  const dependencies = field("dependencies");
  return {
    title: emptyToUndefined(collapseSpace(document.text.slice(entry.title.start, entry.title.end))),
    status: mapFilledText(field("status"), normalizeStatus),
    language: emptyToUndefined(field("language")),
    priority: mapFilledText(field("priority"), (text) => text.toLowerCase()),
    effort: mapFilledText(field("effort"), collapseSpace),
    dependencies: dependencies === undefined ? undefined : parseDependencies(dependencies),
    description: mapFilledText(field("description"), collapseSpace),
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

/** The span of a field's value in TODO.md; for the status, only its marker. */
export function findValueSpan(
  document: TodoDocument,
  entry: TodoEntry,
  name: TrackedField,
): Span | undefined {
  if (name === "title") return entry.title;
  if (name === "description") return entry.description;
  const names = fieldNames[name];
  const field = entry.fields.find((candidate) => names.includes(candidate.name));
  if (name !== "status") return field?.value;
  if (field === undefined) return entry.headingMarker;
  const marker = findMarker(document.text.slice(field.value.start, field.value.end));
  return { start: field.value.start + marker.start, end: field.value.start + marker.end };
}

/** The line of a field in TODO.md, from 1; the line of the heading if it has none of its own. */
export function findFieldLine(entry: TodoEntry, name: TrackedField): number {
  if (name === "title") return entry.line;
  const names = fieldNames[name];
  return entry.fields.find((field) => names.includes(field.name))?.line ?? entry.line;
}

const noDependencies: ReadonlySet<string> = new Set(["", "none", "-", "--", "—", "n/a"]);
const fillers: ReadonlySet<string> = new Set(["task", "tasks", "and", "&"]);

/** Reads `Task 5, #7 and 9` as "5,7,9"; undefined for other prose, which is not compared. */
function parseDependencies(text: string): string | undefined {
  if (noDependencies.has(text.trim().toLowerCase())) return "";
  const ids: string[] = [];
  for (const word of text.split(/[\s,;]+/)) {
    if (word === "" || fillers.has(word.toLowerCase())) continue;
    const id = normalizeId(word.startsWith("#") ? word.slice(1) : word);
    if (id === undefined || !/^[\w.-]*\d[\w.-]*$/.test(id)) return undefined;
    ids.push(id);
  }
  return ids.join(",");
}

function mapFilledText(text: string | undefined, change: (text: string) => string): string | undefined {
  return text === undefined ? undefined : emptyToUndefined(change(text));
}
