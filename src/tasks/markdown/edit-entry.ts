import { posix } from "node:path";
import { findValue } from "./todo-values.ts";
import { type TrackedField } from "../model/tracked-fields.ts";
import type { TaskArtifact } from "../model/stored-task.ts";
import type { TodoField } from "./field-line.ts";
import type { TextEdit } from "./lines.ts";
import type { TodoDocument, TodoEntry } from "./parse-todo.ts";
import { renderStatusText } from "./status-marker.ts";

/** Puts one value into an entry: in its place where there is one, else on a line of its own below the other fields. */
export function editField(
  document: TodoDocument,
  entry: TodoEntry,
  { field, value }: { readonly field: TrackedField; readonly value: string },
): readonly TextEdit[] {
  const text = renderValue(field, value);
  const span = findValue(document, entry, field);
  if (span === undefined) return [insertedField(document, entry, { label: labelOf(document, field), text })];
  const glue = span.start === span.end && ":*".includes(document.text.charAt(span.start - 1)) ? " " : "";
  return [{ ...span, text: glue + text }];
}

/** Adds links to the artifacts, on the line of their kind; one that is linked already is left out. */
export function editLinks(
  document: TodoDocument,
  entry: TodoEntry,
  { links, dir }: { readonly links: readonly TaskArtifact[]; readonly dir: string },
): readonly TextEdit[] {
  const byLabel = new Map<string, string[]>();
  for (const { type, path } of links) {
    if (isLinked(document, entry, path)) continue;
    const label = linkLabel(type);
    byLabel.set(label, [...(byLabel.get(label) ?? []), renderLink(document, path, dir)]);
  }
  return [...byLabel].map(([label, texts]) => {
    const field = entry.fields.findLast(({ name }) => name === label.toLowerCase());
    const text = texts.join(", ");
    if (field === undefined) return insertedField(document, entry, { label, text });
    const isEmpty = field.value.start === field.value.end;
    return { start: field.value.end, end: field.value.end, text: isEmpty ? ` ${text}` : `, ${text}` };
  });
}

/** As TODO.md writes it. */
export function renderValue(field: TrackedField, value: string): string {
  if (field === "status") return renderStatusText(value);
  if (field === "dependencies") return value === "" ? "None" : value.split(",").join(", ");
  return value;
}

/** `Language`, or `Task Type` in a list that calls it so. */
export function labelOf(document: TodoDocument, field: TrackedField): string {
  if (field !== "language") return field.charAt(0).toUpperCase() + field.slice(1);
  const names = new Set(
    [...document.entries.values()].flatMap(({ fields }) => fields.map(({ name }) => name)),
  );
  return names.has("task type") && !names.has("language") ? "Task Type" : "Language";
}

function insertedField(
  { text: document, lineEnd }: TodoDocument,
  entry: TodoEntry,
  { label, text }: { readonly label: string; readonly text: string },
): TextEdit {
  const last = lastHeaderField(entry);
  const start = last?.next ?? entry.headingNext;
  const isMidLine = start > 0 && document.charAt(start - 1) !== "\n";
  const line =
    label === "Description"
      ? `${lineEnd}**${label}**: ${text}`
      : `${last?.bullet ?? "- "}**${label}**: ${text}`;
  return { start, end: start, text: `${isMidLine ? lineEnd : ""}${line}${isMidLine ? "" : lineEnd}` };
}

/** The end of the first run of field lines; the description, which has a paragraph of its own, is none of them. */
function lastHeaderField({ fields }: TodoEntry): TodoField | undefined {
  let last: TodoField | undefined;
  for (const field of fields) {
    if (field.name === "description" || (last !== undefined && field.line !== last.line + 1)) break;
    last = field;
  }
  return last;
}

const linkLabels: ReadonlyMap<string, string> = new Map([
  ["research", "Research"],
  ["report", "Research"],
]);

function linkLabel(type: string): string {
  const word = type
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .join(" ")
    .trim();
  const known = linkLabels.get(word);
  return known ?? (word === "" ? "Artifact" : word.charAt(0).toUpperCase() + word.slice(1));
}

/** Links lead from TODO.md, unless the list's own links are written from the project's root. */
function renderLink(document: TodoDocument, path: string, dir: string): string {
  const target = document.text.includes(`](${dir}/`) ? path : posix.relative(dir, path);
  return `[${posix.basename(path)}](${target.split(" ").join("%20")})`;
}

/** By its path from the root or from the folder of tasks, as a link or in plain brackets. */
function isLinked({ text }: TodoDocument, entry: TodoEntry, path: string): boolean {
  const slash = path.indexOf("/");
  const endings = [path, path.slice(slash + 1)].flatMap((place) => [`${place})`, `${place}]`]);
  return endings.some((ending) => {
    const found = text.indexOf(ending, entry.start);
    return found !== -1 && found < entry.end;
  });
}
