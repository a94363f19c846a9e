import { editListElements, editMembers } from "../json/edit-json.ts";
import { findMemberValue, type JsonNode, parseJsonTree } from "../json/json-tree.ts";
import { readEntryText } from "../markdown/entry-text.ts";
import { applyEdits } from "../markdown/lines.ts";
import { type ArchiveList, archiveLists } from "../files/state-file.ts";
import type { Fields } from "../model/fields.ts";
import { normalizeId } from "../model/task-id.ts";
import type { Draft, DraftTask } from "./draft.ts";

const EMPTY_ARCHIVE = '{\n  "completed_projects": []\n}\n';

/** Two versions of archive/state.json: first with the tasks that come in, then also without those that leave. */
export interface ArchiveTexts {
  readonly filled: string | undefined;
  readonly final: string | undefined;
}

/** state.json is written between the two versions, so a task that moves is in both lists for a moment, never in none. */
export function renderArchive(draft: Draft): ArchiveTexts {
  const filled = addArchivedTasks(draft, draft.sources.texts.archive);
  return { filled, final: removeLeavingTasks(draft, filled) };
}

function addArchivedTasks(draft: Draft, text: string | undefined): string | undefined {
  const { archive: path } = draft.sources.place.paths;
  const tasks = [...draft.tasks.values()].filter(({ now }) => now === "archived");
  const added = tasks.filter(({ was }) => was !== "archived");
  const changed = tasks.filter(({ was, sets }) => was === "archived" && sets.size > 0);
  if (added.length + changed.length === 0) return text;
  let result = text ?? EMPTY_ARCHIVE;
  for (const { id, sets } of changed) {
    const found = locateArchivedTasks(parseJsonTree(result, path)).get(id);
    if (found !== undefined) result = applyEdits(result, editMembers(result, found.element, sets));
  }
  for (const name of archiveLists) {
    const own = added.filter((task) => chooseArchiveList(draft, task) === name);
    if (own.length === 0) continue;
    const fields = own.map((task) => toArchivedFields(draft, task));
    result = addToArchiveList(result, parseJsonTree(result, path), { name, added: fields });
  }
  return result;
}

function addToArchiveList(
  text: string,
  root: JsonNode,
  { name, added }: { readonly name: ArchiveList; readonly added: readonly Fields[] },
): string {
  const list = findMemberValue(root, name);
  const edits =
    list === undefined
      ? editMembers(text, root, new Map([[name, added]]))
      : editListElements(text, list, { removed: new Set(), added });
  return applyEdits(text, edits);
}

/** Abandoned tasks go to a list of their own if the project keeps one. */
function chooseArchiveList({ sources }: Draft, { raw }: DraftTask): ArchiveList {
  const isAbandoned = raw["status"] === "abandoned";
  return isAbandoned && Array.isArray(sources.archive.top["abandoned_projects"])
    ? "abandoned_projects"
    : "completed_projects";
}

function toArchivedFields({ sources }: Draft, { entryId, raw }: DraftTask): Fields {
  const entry = sources.todo?.entries.get(entryId);
  return entry === undefined ? raw : { ...raw, todo_entry: readEntryText(sources.todo, entry) };
}

function removeLeavingTasks(draft: Draft, text: string | undefined): string | undefined {
  const moved = [...draft.tasks.values()].filter(({ was, now }) => was === "archived" && now === "active");
  const leaving = new Set([...moved.map((task) => task.id), ...draft.dropped]);
  if (text === undefined || leaving.size === 0) return text;
  const lists = new Map<JsonNode, Set<number>>();
  for (const [id, { list, index }] of locateArchivedTasks(
    parseJsonTree(text, draft.sources.place.paths.archive),
  )) {
    if (leaving.has(id)) lists.set(list, (lists.get(list) ?? new Set()).add(index));
  }
  const edits = [...lists].flatMap(([list, removed]) => editListElements(text, list, { removed, added: [] }));
  return applyEdits(text, edits);
}

interface Location {
  readonly list: JsonNode;
  readonly element: JsonNode;
  readonly index: number;
}

/** Where every archived task is. If an id is there more than once, the last one counts. */
function locateArchivedTasks(root: JsonNode): ReadonlyMap<string, Location> {
  const found = new Map<string, Location>();
  for (const name of archiveLists) {
    const list = findMemberValue(root, name);
    if (list?.type !== "array") continue;
    for (const [index, element] of (list.children ?? []).entries()) {
      const id = normalizeId(findMemberValue(element, "project_number")?.value);
      if (id !== undefined) found.set(id, { list, element, index });
    }
  }
  return found;
}
