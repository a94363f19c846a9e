import { readStateValues, type TrackedField } from "../model/tracked-fields.ts";
import type { Fields } from "../model/fields.ts";
import { canonicalId } from "../model/task-id.ts";
import { artifactsOf } from "../model/view-task.ts";
import { editField, editLinks, labelOf, renderValue } from "./edit-entry.ts";
import { applyEdits } from "./lines.ts";
import { parseTodo, type TodoDocument } from "./parse-todo.ts";

export interface EntryFacts {
  readonly id: string;
  readonly raw: Fields;
  readonly dir: string;
  /** What it was when it was archived; its words are kept, only what changed is edited. */
  readonly text: string | undefined;
}

const headerFields: readonly TrackedField[] = ["effort", "status", "priority", "language", "dependencies"];

/** The text of an entry that is to stand in `document`, with no line end after it. */
export function renderEntry(document: TodoDocument, facts: EntryFacts): string {
  const kept = facts.text === undefined ? undefined : keptEntry(facts.text, facts);
  const text = kept ?? freshEntry(document, facts);
  return text.replaceAll("\r\n", "\n").replaceAll("\n", document.lineEnd);
}

function freshEntry(document: TodoDocument, { id, raw, dir }: EntryFacts): string {
  const values = readStateValues(raw);
  const lines = [`### ${id}. ${values.title ?? titleOf(raw, id)}`];
  for (const field of headerFields) {
    const value = field === "status" ? (values.status ?? "not_started") : values[field];
    const isWorthALine = value !== undefined && (field !== "dependencies" || value !== "");
    if (isWorthALine) lines.push(`- **${labelOf(document, field)}**: ${renderValue(field, value)}`);
  }
  const parent = canonicalId(raw["parent_task"]);
  if (parent !== undefined) lines.push(`- **Parent Task**: ${parent}`);
  if (values.description !== undefined) lines.push("", `**Description**: ${values.description}`);
  return withLinks(lines.join("\n"), document, { raw, dir });
}

function titleOf(raw: Fields, id: string): string {
  const name = raw["project_name"];
  return typeof name === "string" && name !== "" ? name.replaceAll("_", " ") : `Task ${id}`;
}

function withLinks(
  text: string,
  { text: all }: TodoDocument,
  { raw, dir }: { readonly raw: Fields; readonly dir: string },
): string {
  const links = artifactsOf(raw);
  const alone = parseTodo(text, "");
  const [entry] = alone.entries.values();
  if (entry === undefined || links.length === 0) return text;
  const style = all.includes(`](${dir}/`) ? dir : "";
  const edits = editLinks(alone, entry, { links, dir: style === "" ? dir : "." });
  return applyEdits(text, edits);
}

const SECTION = "## Tasks\n\n";

/** The old text with the status of now; undefined when it is no entry any more. */
function keptEntry(text: string, { id, raw }: EntryFacts): string | undefined {
  const document = parseTodo(SECTION + text, "");
  const entry = document.entries.get(id);
  if (entry === undefined || document.entries.size !== 1) return undefined;
  const status = readStateValues(raw).status ?? "not_started";
  const edits = editField(document, entry, { field: "status", value: status });
  return applyEdits(document.text, edits).slice(SECTION.length);
}
