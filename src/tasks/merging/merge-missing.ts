import { taskErrors } from "../../errors/tasks.ts";
import { readEntryText } from "../markdown/entry-text.ts";
import type { TodoEntry } from "../markdown/parse-todo.ts";
import type { Draft } from "../planning/draft.ts";
import { makeTitleSlug } from "../model/slug.ts";
import type { Fields } from "../model/fields.ts";
import { parseTaskNumber, toWrittenId } from "../model/task-id.ts";
import { readEntryFields, chooseLanguageKey } from "./take-from-todo.ts";
import { readTodoValues } from "../markdown/todo-values.ts";
import { readStateValues, trackedFields } from "../model/tracked-fields.ts";

export interface MergeScope {
  /** Tasks to make equal even if the files differed before the store first saw them. */
  readonly isSynced: (id: string) => boolean;
  /** Tasks that an interrupted move left in both lists. */
  readonly halfMoved: ReadonlySet<string>;
}

/** Up to this many tasks may disappear at once. */
const MAX_UNASKED_REMOVALS = 5;

/** Handles tasks in only one of the two files: added, removed, or there since before the store first saw them. */
export function mergeMissing(draft: Draft, scope: MergeScope): void {
  const { state, todo } = draft.sources;
  const removed: string[] = [];
  for (const id of state.tasks.keys()) {
    if (todo?.entries.has(id) === true) continue;
    if (isRemovedFromTodo(draft, id)) removed.push(id);
    else if (todo === undefined || isAddedToState(draft, id) || scope.isSynced(id))
      draft.editTask(id).entry = "add";
  }
  refuseManyRemovals(draft, removed);
  for (const id of removed) archiveRemoved(draft, id);
  for (const [id, entry] of todo?.entries ?? []) {
    if (!state.tasks.has(id)) mergeTodoEntry(draft, entry, scope);
  }
}

/** A person removed the entry, and nothing else changed the task since. */
function isRemovedFromTodo({ sources }: Draft, id: string): boolean {
  const { agreed, todo, isStateAgreed } = sources;
  if (agreed === undefined || todo === undefined) return false;
  if (isStateAgreed) return true;
  const base = sources.base?.get(id);
  if (base?.todo === undefined || base.state === undefined) return false;
  const values = readStateValues(sources.state.tasks.get(id) ?? {});
  return trackedFields.every((field) => values[field] === base.state?.[field]);
}

function isAddedToState({ sources }: Draft, id: string): boolean {
  const base = sources.base?.get(id);
  return sources.agreed !== undefined && (base === undefined || base.todo !== undefined);
}

/** A list that is suddenly half empty is more likely an accident than intended. */
function refuseManyRemovals({ sources }: Draft, removed: readonly string[]): void {
  if (removed.length <= MAX_UNASKED_REMOVALS || removed.length * 2 <= sources.state.tasks.size) return;
  const { todo, state } = sources.place.paths;
  throw taskErrors.tooManyRemoved({ todo, state, count: sources.state.tasks.size, removed });
}

/** Moves the task to the archive, so that `recover` can bring it back. */
function archiveRemoved(draft: Draft, id: string): void {
  draft.archiveTask(id, { archived: draft.now, archive_reason: "removed from TODO.md" });
  draft.takenFromTodo.add(`${id} archived`);
}

function mergeTodoEntry(draft: Draft, entry: TodoEntry, scope: MergeScope): void {
  const { agreed, state, archive, isStateAgreed, texts } = draft.sources;
  const { id } = entry;
  const base = isStateAgreed ? undefined : draft.sources.base?.get(id);
  if (texts.state === undefined) return adoptTodoEntry(draft, entry, !archive.tasks.has(id));
  if (agreed === undefined || (base !== undefined && base.state === undefined)) {
    if (scope.isSynced(id)) adoptTodoEntry(draft, entry, !archive.tasks.has(id));
    return undefined;
  }
  if (base === undefined) return adoptTodoEntry(draft, entry, isNumberFree(draft, id));
  if (archive.tasks.has(id)) return removeArchivedEntry(draft, entry);
  if (isEntryChanged(draft, entry) || state.tasks.size === 0) return adoptTodoEntry(draft, entry, true);
  return archiveEntry(draft, entry);
}

/** The task is archived but its entry is still in TODO.md: the current text is stored with the task. */
function removeArchivedEntry(draft: Draft, entry: TodoEntry): undefined {
  const raw = draft.sources.archive.tasks.get(entry.id) ?? {};
  const text = readEntryText(draft.sources.todo, entry);
  draft.keepArchived(entry.id);
  if (raw["todo_entry"] !== text) draft.setField(entry.id, "todo_entry", text);
}

/** Makes a task of an entry. If its number belongs to another task, it gets the next free number. */
function adoptTodoEntry(draft: Draft, entry: TodoEntry, keepsNumber: boolean): undefined {
  const id = keepsNumber ? entry.id : String(draft.takeNextNumber());
  draft.createTask(id, buildTaskFields(draft, entry, id), entry.id);
  draft.takenFromTodo.add(`${id} created`);
  if (keepsNumber) return;
  draft.warnings.push(
    `${draft.sources.place.paths.todo} line ${entry.line}: number ${entry.id} was used before; the task is now ${id}`,
  );
}

/** Whether no other task has the number and it was never seen on another branch. */
function isNumberFree({ sources }: Draft, id: string): boolean {
  const number = parseTaskNumber(id);
  if (sources.archive.tasks.has(id)) return false;
  return number === undefined || sources.agreed?.seen.has(number) !== true;
}

function isEntryChanged({ sources }: Draft, entry: TodoEntry): boolean {
  const base = sources.base?.get(entry.id)?.todo;
  if (sources.todo === undefined || base === undefined) return true;
  const values = readTodoValues(sources.todo, entry);
  return trackedFields.some((field) => values[field] !== undefined && values[field] !== base[field]);
}

/** The task was removed from state.json by hand: its text and its fields go to the archive. */
function archiveEntry(draft: Draft, entry: TodoEntry): undefined {
  draft.createTask(entry.id, buildTaskFields(draft, entry, entry.id), entry.id);
  draft.archiveTask(entry.id, { archived: draft.now, archive_reason: "removed from state.json" });
}

function buildTaskFields(draft: Draft, entry: TodoEntry, id: string): Fields {
  const { todo } = draft.sources;
  const languageKey = chooseLanguageKey(draft);
  const written = todo === undefined ? {} : readEntryFields(todo, entry, languageKey);
  const title = typeof written["title"] === "string" ? written["title"] : `Task ${id}`;
  return {
    project_number: toWrittenId(id),
    project_name: makeTitleSlug(title),
    status: "not_started",
    [languageKey]: "general",
    priority: "medium",
    ...written,
    title,
    created: draft.now,
    last_updated: draft.now,
  };
}
