import { taskErrors } from "../../errors/tasks.ts";
import { entryTextOf } from "../markdown/entry-text.ts";
import type { TodoEntry } from "../markdown/parse-todo.ts";
import type { Draft } from "../planning/draft.ts";
import { slugOf } from "../model/slug.ts";
import type { Fields } from "../model/fields.ts";
import { numberOf, writtenId } from "../model/task-id.ts";
import { fieldsOfEntry, languageKeyOf } from "./take-from-todo.ts";
import { readTodoValues } from "../markdown/todo-values.ts";
import { readStateValues, trackedFields } from "../model/tracked-fields.ts";

export interface MergeScope {
  /** Tasks to make equal even where the files have differed since before the store knew them. */
  readonly isSynced: (id: string) => boolean;
  /** Tasks that a half-done move has left in both lists. */
  readonly halfMoved: ReadonlySet<string>;
}

/** Fewer may go at once without a question. */
const FEW = 5;

/** Tasks that only one of the two files has: added, taken away, or there since before the store knew them. */
export function mergeMissing(draft: Draft, scope: MergeScope): void {
  const { state, todo } = draft.sources;
  const removed: string[] = [];
  for (const id of state.tasks.keys()) {
    if (todo?.entries.has(id) === true) continue;
    if (isRemovedFromTodo(draft, id)) removed.push(id);
    else if (todo === undefined || isAddedToState(draft, id) || scope.isSynced(id))
      draft.edit(id).entry = "add";
  }
  refuseMany(draft, removed);
  for (const id of removed) archiveRemoved(draft, id);
  for (const [id, entry] of todo?.entries ?? []) {
    if (!state.tasks.has(id)) mergeEntry(draft, entry, scope);
  }
}

/** A person took the entry out, and nothing else changed the task meanwhile. */
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

/** A list that is suddenly half empty is an accident more often than a wish. */
function refuseMany({ sources }: Draft, removed: readonly string[]): void {
  if (removed.length <= FEW || removed.length * 2 <= sources.state.tasks.size) return;
  const { todo, state } = sources.place.paths;
  throw taskErrors.tooManyRemoved({ todo, state, count: sources.state.tasks.size, removed });
}

/** Kept in the archive, so that `recover` brings it back. */
function archiveRemoved(draft: Draft, id: string): void {
  draft.archive(id, { archived: draft.now, archive_reason: "removed from TODO.md" });
  draft.takenFromTodo.add(`${id} archived`);
}

function mergeEntry(draft: Draft, entry: TodoEntry, scope: MergeScope): void {
  const { agreed, state, archive, isStateAgreed, texts } = draft.sources;
  const { id } = entry;
  const base = isStateAgreed ? undefined : draft.sources.base?.get(id);
  if (texts.state === undefined) return adoptEntry(draft, entry, !archive.tasks.has(id));
  if (agreed === undefined || (base !== undefined && base.state === undefined)) {
    if (scope.isSynced(id)) adoptEntry(draft, entry, !archive.tasks.has(id));
    return undefined;
  }
  if (base === undefined) return adoptEntry(draft, entry, isFree(draft, id));
  if (archive.tasks.has(id)) return removeArchivedEntry(draft, entry);
  if (isEntryChanged(draft, entry) || state.tasks.size === 0) return adoptEntry(draft, entry, true);
  return archiveEntry(draft, entry);
}

/** The task went to the archive and its entry stayed behind: what the entry says now is kept with the task. */
function removeArchivedEntry(draft: Draft, entry: TodoEntry): undefined {
  const raw = draft.sources.archive.tasks.get(entry.id) ?? {};
  const text = entryTextOf(draft.sources.todo, entry);
  draft.keepArchived(entry.id);
  if (raw["todo_entry"] !== text) draft.set(entry.id, "todo_entry", text);
}

/** Makes a task of an entry; one whose number belongs to another task gets the next free one. */
function adoptEntry(draft: Draft, entry: TodoEntry, keepsNumber: boolean): undefined {
  const id = keepsNumber ? entry.id : String(draft.takeNumber());
  draft.create(id, rawOf(draft, entry, id), entry.id);
  draft.takenFromTodo.add(`${id} created`);
  if (keepsNumber) return;
  draft.warnings.push(
    `${draft.sources.place.paths.todo} line ${entry.line}: number ${entry.id} was used before; the task is now ${id}`,
  );
}

/** Not in use, and never seen on another branch. The entry itself is the only one that may have it. */
function isFree({ sources }: Draft, id: string): boolean {
  const number = numberOf(id);
  if (sources.archive.tasks.has(id)) return false;
  return number === undefined || sources.agreed?.seen.has(number) !== true;
}

function isEntryChanged({ sources }: Draft, entry: TodoEntry): boolean {
  const base = sources.base?.get(entry.id)?.todo;
  if (sources.todo === undefined || base === undefined) return true;
  const values = readTodoValues(sources.todo, entry);
  return trackedFields.some((field) => values[field] !== undefined && values[field] !== base[field]);
}

/** Taken out of state.json by hand: its text and what was known of it go to the archive. */
function archiveEntry(draft: Draft, entry: TodoEntry): undefined {
  draft.create(entry.id, rawOf(draft, entry, entry.id), entry.id);
  draft.archive(entry.id, { archived: draft.now, archive_reason: "removed from state.json" });
}

function rawOf(draft: Draft, entry: TodoEntry, id: string): Fields {
  const { todo } = draft.sources;
  const languageKey = languageKeyOf(draft);
  const written = todo === undefined ? {} : fieldsOfEntry(todo, entry, languageKey);
  const title = typeof written["title"] === "string" ? written["title"] : `Task ${id}`;
  return {
    project_number: writtenId(id),
    project_name: slugOf(title),
    status: "not_started",
    [languageKey]: "general",
    priority: "medium",
    ...written,
    title,
    created: draft.now,
    last_updated: draft.now,
  };
}
