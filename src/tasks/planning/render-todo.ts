import {
  editEntryField,
  editEntryLinks,
  chooseFieldLabel,
  renderFieldValue,
} from "../markdown/edit-entry.ts";
import { applyEdits, type TextEdit } from "../markdown/lines.ts";
import { parseTodo, type TodoDocument } from "../markdown/parse-todo.ts";
import { readStateValues, type TrackedField } from "../model/tracked-fields.ts";
import { isCountingDown, parseTaskNumber, normalizeId } from "../model/task-id.ts";
import type { Fields } from "../model/fields.ts";
import { readArtifacts } from "../model/view-task.ts";
import type { Draft, DraftTask } from "./draft.ts";

const EMPTY = "# TODO\n\n## Tasks\n";

const headerFields: readonly TrackedField[] = ["effort", "status", "priority", "language", "dependencies"];
const SECTION = "## Tasks\n\n";

/** TODO.md after the plan; bytes outside the edits do not change. Undefined if the file does not exist. */
export function renderTodo(draft: Draft): string | undefined {
  const tasks = [...draft.tasks.values()];
  const added = tasks.filter(({ now, entry }) => now === "active" && entry === "add");
  const { todo, place } = draft.sources;
  if (todo === undefined && added.length === 0) return undefined;
  const document = todo ?? parseTodo(EMPTY, place.paths.todo);
  const edits = tasks.flatMap((task) => editTodoEntry(draft, document, task));
  if (added.length > 0) edits.push(insertEntries(document, added, place.paths.dir));
  const next = editNextNumber(draft, document);
  return applyEdits(document.text, next === undefined ? edits : [...edits, next]);
}

function editTodoEntry(draft: Draft, document: TodoDocument, task: DraftTask): readonly TextEdit[] {
  const entry = document.entries.get(task.entryId);
  if (entry === undefined || task.entry === "add") return [];
  if (task.entry === "remove") return [{ start: entry.start, end: entry.end, text: "" }];
  const values = readStateValues(task.raw);
  const fields = [...task.shown].flatMap((field) => {
    const value = values[field] ?? (field === "dependencies" ? "" : undefined);
    return value === undefined ? [] : editEntryField(document, entry, { field, value });
  });
  const links = editEntryLinks(document, entry, { links: task.links, dir: draft.sources.place.paths.dir });
  const renumbered = task.id === entry.id ? [] : [{ ...entry.idSpan, text: task.id }];
  return [...renumbered, ...fields, ...links];
}

/** Inserts new entries at the top of a list that counts down, else after the last entry. */
function insertEntries(document: TodoDocument, added: readonly DraftTask[], dir: string): TextEdit {
  const entries = [...document.entries.values()];
  const isDescending = isCountingDown(entries.map(({ id }) => id));
  const blocks = sortAddedTasks(added, isDescending).map(({ id, raw, entryText }) =>
    renderEntry(document, { id, raw, dir, text: entryText }),
  );
  const [first] = entries;
  const last = entries.at(-1);
  const { lineEnd, text } = document;
  const start = (isDescending ? first?.start : last?.end) ?? document.tasksSection ?? text.length;
  const hasBreaks = entries.some(({ hasBreak }) => hasBreak);
  const gap = hasBreaks ? `${lineEnd}${lineEnd}---${lineEnd}${lineEnd}` : lineEnd + lineEnd;
  const needsSection = entries.length === 0 && document.tasksSection === undefined;
  const lead = ensureBlankLine(document, start) + (needsSection ? `## Tasks${lineEnd}${lineEnd}` : "");
  const isLast = text.slice(start).trim() === "";
  const tail = isLast && !hasBreaks ? lineEnd : gap;
  return { start, end: start, text: lead + blocks.join(gap) + tail };
}

function sortAddedTasks(added: readonly DraftTask[], isDescending: boolean): readonly DraftTask[] {
  const direction = isDescending ? -1 : 1;
  return added.toSorted(
    (left, right) => direction * ((parseTaskNumber(left.id) ?? 0) - (parseTaskNumber(right.id) ?? 0)),
  );
}

/** The line ends that are missing for a blank line before the offset. */
function ensureBlankLine({ text, lineEnd }: TodoDocument, offset: number): string {
  const before = text.slice(0, offset);
  if (before.trim() === "") return "";
  if (before.endsWith(`\n${lineEnd}`)) return "";
  return before.endsWith("\n") ? lineEnd : lineEnd + lineEnd;
}

/** Updates the counter in the frontmatter, if there is one, for tools that read it there. */
function editNextNumber(draft: Draft, { text, nextNumber }: TodoDocument): TextEdit | undefined {
  if (nextNumber === undefined || !draft.hasTakenNumbers) return undefined;
  const written = text.slice(nextNumber.start, nextNumber.end);
  return Number(written) === draft.nextNumber ? undefined : { ...nextNumber, text: String(draft.nextNumber) };
}

interface EntryFacts {
  readonly id: string;
  readonly raw: Fields;
  readonly dir: string;
  /** Its text when it was archived; it is kept, except for changed values. */
  readonly text: string | undefined;
}

/** The text of an entry for `document`, without a line end after it. */
function renderEntry(document: TodoDocument, facts: EntryFacts): string {
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

/** The old text with the current status; undefined if it is not an entry. */
function updateStoredEntry(text: string, { id, raw }: EntryFacts): string | undefined {
  const document = parseTodo(SECTION + text, "");
  const entry = document.entries.get(id);
  if (entry === undefined || document.entries.size !== 1) return undefined;
  const status = readStateValues(raw).status ?? "not_started";
  const edits = editEntryField(document, entry, { field: "status", value: status });
  return applyEdits(document.text, edits).slice(SECTION.length);
}
