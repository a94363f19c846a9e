import { posix } from "node:path";
import { findValueSpan } from "./todo-values.ts";
import { type TrackedField } from "../model/tracked-fields.ts";
import type { TaskArtifact } from "../model/stored-task.ts";
import type { TodoField } from "./field-line.ts";
import type { TextEdit } from "./lines.ts";
import type { TodoDocument, TodoEntry } from "./parse-todo.ts";
import { renderStatusText } from "./status-marker.ts";

/** Sets one value of an entry: in its place if it has one, else on a new line below the other fields. */
export function editEntryField(
  document: TodoDocument,
  entry: TodoEntry,
  { field, value }: { readonly field: TrackedField; readonly value: string },
): readonly TextEdit[] {
  const text = renderFieldValue(field, value);
  const span = findValueSpan(document, entry, field);
  if (span === undefined)
    return [insertFieldLine(document, entry, { label: chooseFieldLabel(document, field), text })];
  const glue = span.start === span.end && ":*".includes(document.text.charAt(span.start - 1)) ? " " : "";
  return [{ ...span, text: glue + text }];
}

/** Adds links to artifacts on the line of their kind; an artifact that is already linked is skipped. */
export function editEntryLinks(
  document: TodoDocument,
  entry: TodoEntry,
  { links, dir }: { readonly links: readonly TaskArtifact[]; readonly dir: string },
): readonly TextEdit[] {
  const byLabel = new Map<string, string[]>();
  for (const { type, path } of links) {
    if (isAlreadyLinked(document, entry, path)) continue;
    const label = chooseLinkLabel(type);
    byLabel.set(label, [...(byLabel.get(label) ?? []), renderArtifactLink(document, path, dir)]);
  }
  return [...byLabel].map(([label, texts]) => {
    const field = entry.fields.findLast(({ name }) => name === label.toLowerCase());
    const text = texts.join(", ");
    if (field === undefined) return insertFieldLine(document, entry, { label, text });
    const isEmpty = field.value.start === field.value.end;
    return { start: field.value.end, end: field.value.end, text: isEmpty ? ` ${text}` : `, ${text}` };
  });
}

/** The form of a value in TODO.md. */
export function renderFieldValue(field: TrackedField, value: string): string {
  if (field === "status") return renderStatusText(value);
  if (field === "dependencies") return value === "" ? "None" : value.split(",").join(", ");
  return value;
}

/** `Language`, or `Task Type` if the list uses that name. */
export function chooseFieldLabel(document: TodoDocument, field: TrackedField): string {
  if (field !== "language") return field.charAt(0).toUpperCase() + field.slice(1);
  const names = new Set(
    [...document.entries.values()].flatMap(({ fields }) => fields.map(({ name }) => name)),
  );
  return names.has("task type") && !names.has("language") ? "Task Type" : "Language";
}

function insertFieldLine(
  { text: document, lineEnd }: TodoDocument,
  entry: TodoEntry,
  { label, text }: { readonly label: string; readonly text: string },
): TextEdit {
  const last = findLastHeaderField(entry);
  const start = last?.next ?? entry.headingNext;
  const isMidLine = start > 0 && document.charAt(start - 1) !== "\n";
  const line =
    label === "Description"
      ? `${lineEnd}**${label}**: ${text}`
      : `${last?.bullet ?? "- "}**${label}**: ${text}`;
  return { start, end: start, text: `${isMidLine ? lineEnd : ""}${line}${isMidLine ? "" : lineEnd}` };
}

/** The last field of the first run of field lines, not counting the description, which is a paragraph of its own. */
function findLastHeaderField({ fields }: TodoEntry): TodoField | undefined {
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

function chooseLinkLabel(type: string): string {
  const word = type
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .join(" ")
    .trim();
  const known = linkLabels.get(word);
  return known ?? (word === "" ? "Artifact" : word.charAt(0).toUpperCase() + word.slice(1));
}

/** Links are relative to TODO.md, unless the list's other links are relative to the project's root. */
function renderArtifactLink(document: TodoDocument, path: string, dir: string): string {
  const target = document.text.includes(`](${dir}/`) ? path : posix.relative(dir, path);
  return `[${posix.basename(path)}](${target.split(" ").join("%20")})`;
}

/** Looks for the path from the root or from the task folder, as a link or in plain brackets. */
function isAlreadyLinked({ text }: TodoDocument, entry: TodoEntry, path: string): boolean {
  const slash = path.indexOf("/");
  const endings = [path, path.slice(slash + 1)].flatMap((place) => [`${place})`, `${place}]`]);
  return endings.some((ending) => {
    const found = text.indexOf(ending, entry.start);
    return found !== -1 && found < entry.end;
  });
}
