import { readStateValues, type TrackedField } from "../model/tracked-fields.ts";
import type { Fields } from "../model/fields.ts";
import { normalizeId } from "../model/task-id.ts";
import { readArtifacts } from "../model/view-task.ts";
import { editEntryField, editEntryLinks, chooseFieldLabel, renderFieldValue } from "./edit-entry.ts";
import { applyEdits } from "./lines.ts";
import { parseTodo, type TodoDocument } from "./parse-todo.ts";

export interface EntryFacts {
  readonly id: string;
  readonly raw: Fields;
  readonly dir: string;
  /** Its text when it was archived; it is kept, except for changed values. */
  readonly text: string | undefined;
}

const headerFields: readonly TrackedField[] = ["effort", "status", "priority", "language", "dependencies"];

/** The text of an entry for `document`, without a line end after it. */
export function renderEntry(document: TodoDocument, facts: EntryFacts): string {
  const kept = facts.text === undefined ? undefined : updateStoredEntry(facts.text, facts);
  const text = kept ?? composeEntry(document, facts);
  return text.replaceAll("\r\n", "\n").replaceAll("\n", document.lineEnd);
}

function composeEntry(document: TodoDocument, { id, raw, dir }: EntryFacts): string {
  const values = readStateValues(raw);
  const lines = [`### ${id}. ${values.title ?? chooseEntryTitle(raw, id)}`];
  for (const field of headerFields) {
    const value = field === "status" ? (values.status ?? "not_started") : values[field];
    const isWorthALine = value !== undefined && (field !== "dependencies" || value !== "");
    if (isWorthALine)
      lines.push(`- **${chooseFieldLabel(document, field)}**: ${renderFieldValue(field, value)}`);
  }
  const parent = normalizeId(raw["parent_task"]);
  if (parent !== undefined) lines.push(`- **Parent Task**: ${parent}`);
  if (values.description !== undefined) lines.push("", `**Description**: ${values.description}`);
  return addArtifactLinks(lines.join("\n"), document, { raw, dir });
}

function chooseEntryTitle(raw: Fields, id: string): string {
  const name = raw["project_name"];
  return typeof name === "string" && name !== "" ? name.replaceAll("_", " ") : `Task ${id}`;
}

function addArtifactLinks(
  text: string,
  { text: all }: TodoDocument,
  { raw, dir }: { readonly raw: Fields; readonly dir: string },
): string {
  const links = readArtifacts(raw);
  const alone = parseTodo(text, "");
  const [entry] = alone.entries.values();
  if (entry === undefined || links.length === 0) return text;
  const style = all.includes(`](${dir}/`) ? dir : "";
  const edits = editEntryLinks(alone, entry, { links, dir: style === "" ? dir : "." });
  return applyEdits(text, edits);
}

const SECTION = "## Tasks\n\n";

/** The old text with the current status; undefined if it is not an entry. */
function updateStoredEntry(text: string, { id, raw }: EntryFacts): string | undefined {
  const document = parseTodo(SECTION + text, "");
  const entry = document.entries.get(id);
  if (entry === undefined || document.entries.size !== 1) return undefined;
  const status = readStateValues(raw).status ?? "not_started";
  const edits = editEntryField(document, entry, { field: "status", value: status });
  return applyEdits(document.text, edits).slice(SECTION.length);
}
