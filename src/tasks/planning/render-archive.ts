import { editList, editMembers, rootOf } from "../json/edit-json.ts";
import { readArray, readObject } from "../json/json-spans.ts";
import { entryTextOf } from "../markdown/entry-text.ts";
import { applyEdits, type Span, type TextEdit } from "../markdown/lines.ts";
import type { Fields } from "../model/fields.ts";
import { type ArchiveList, archiveLists } from "../files/state-file.ts";
import { canonicalId } from "../model/task-id.ts";
import type { Draft, DraftTask } from "./draft.ts";

const EMPTY = '{\n  "completed_projects": []\n}\n';

/** archive/state.json twice: with what comes in, and also without what leaves. Between the two state.json is written. */
export interface ArchiveTexts {
  readonly filled: string | undefined;
  readonly final: string | undefined;
}

/** A task that moves is in both lists for a moment, never in none. */
export function renderArchive(draft: Draft): ArchiveTexts {
  const { archive: text } = draft.sources.texts;
  const filled = withAdded(draft, text);
  return { filled, final: withoutRemoved(draft, filled) };
}

function withAdded(draft: Draft, text: string | undefined): string | undefined {
  const tasks = [...draft.tasks.values()].filter(({ now }) => now === "archived");
  const added = tasks.filter(({ was }) => was !== "archived");
  const changed = tasks.filter(({ was, sets }) => was === "archived" && sets.size > 0);
  if (added.length + changed.length === 0) return text;
  let result = text ?? EMPTY;
  for (const { id, sets } of changed) result = applyEdits(result, changeOf(result, id, sets));
  for (const name of archiveLists) {
    const own = added.filter((task) => listFor(draft, task) === name);
    if (own.length > 0)
      result = addTo(
        result,
        name,
        own.map((task) => archivedFields(draft, task)),
      );
  }
  return result;
}

function addTo(text: string, name: ArchiveList, added: readonly Fields[]): string {
  const value = rootOf(text).members.get(name)?.value;
  if (value === undefined) return applyEdits(text, editMembers(text, rootOf(text), new Map([[name, added]])));
  return applyEdits(text, [editList(text, value, { removed: new Set(), added, place: "last", edits: [] })]);
}

/** Abandoned tasks have a list of their own where the project keeps one. */
function listFor({ sources }: Draft, { raw }: DraftTask): ArchiveList {
  const isAbandoned = raw["status"] === "abandoned";
  return isAbandoned && Array.isArray(sources.archive.top["abandoned_projects"])
    ? "abandoned_projects"
    : "completed_projects";
}

function archivedFields({ sources }: Draft, { entryId, raw }: DraftTask): Fields {
  const entry = sources.todo?.entries.get(entryId);
  return entry === undefined ? raw : { ...raw, todo_entry: entryTextOf(sources.todo, entry) };
}

function changeOf(text: string, id: string, sets: ReadonlyMap<string, unknown>): readonly TextEdit[] {
  const found = locateAll(text).get(id);
  return found === undefined ? [] : editMembers(text, readObject(text, found.element.start), sets);
}

function withoutRemoved(draft: Draft, text: string | undefined): string | undefined {
  const moved = [...draft.tasks.values()].filter(({ was, now }) => was === "archived" && now === "active");
  const leaving = new Set([...moved.map((task) => task.id), ...draft.dropped]);
  if (text === undefined || leaving.size === 0) return text;
  const lists = new Map<number, { readonly list: Span; readonly removed: Set<number> }>();
  for (const [id, { list, index }] of locateAll(text)) {
    if (!leaving.has(id)) continue;
    const known = lists.get(list.start) ?? { list, removed: new Set() };
    known.removed.add(index);
    lists.set(list.start, known);
  }
  return applyEdits(
    text,
    [...lists.values()].map(({ list, removed }) =>
      editList(text, list, { removed, added: [], place: "last", edits: [] }),
    ),
  );
}

interface Location {
  readonly list: Span;
  readonly element: Span;
  readonly index: number;
}

/** Where every archived task is; of one id the last, as it is the last that counts. */
function locateAll(text: string): ReadonlyMap<string, Location> {
  const found = new Map<string, Location>();
  const root = rootOf(text);
  for (const name of archiveLists) {
    const list = root.members.get(name)?.value;
    if (list === undefined || text.charAt(list.start) !== "[") continue;
    for (const [index, element] of readArray(text, list.start).elements.entries()) {
      const number = readObject(text, element.start).members.get("project_number")?.value;
      const value: unknown =
        number === undefined ? undefined : JSON.parse(text.slice(number.start, number.end));
      const id = canonicalId(value);
      if (id !== undefined) found.set(id, { list, element, index });
    }
  }
  return found;
}
