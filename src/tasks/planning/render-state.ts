import { editListElements, editMembers } from "../json/edit-json.ts";
import { findMemberValue, type JsonNode, parseJsonTree } from "../json/json-tree.ts";
import { applyEdits, type TextEdit } from "../markdown/lines.ts";
import { ACTIVE, NEXT_NUMBER } from "../files/state-file.ts";
import type { Fields } from "../model/fields.ts";
import { isCountingDown } from "../model/task-id.ts";
import type { Draft, DraftTask } from "./draft.ts";

const EMPTY_STATE = `{\n  "${NEXT_NUMBER}": 1,\n  "${ACTIVE}": []\n}\n`;

/** Fields that the archive adds to a task and that a recovered task loses again. */
const archiveKeys: ReadonlySet<string> = new Set(["archived", "archive_reason", "todo_entry"]);

/** state.json after the plan. Objects and members that do not change keep their bytes. */
export function renderState(draft: Draft): string | undefined {
  const { state, texts, place } = draft.sources;
  const touched = [...draft.tasks.values()].filter(isTouched);
  if (touched.length === 0 && !draft.hasTakenNumbers) return texts.state;
  const text = addMissingList(texts.state ?? EMPTY_STATE, place.paths.state);
  const root = parseJsonTree(text, place.paths.state);
  const list = findMemberValue(root, ACTIVE) ?? root;
  const ids = [...state.tasks.keys()];
  const order = new Map(ids.map((id, index) => [id, index]));
  const added = touched.filter(({ was, now }) => was !== "active" && now === "active");
  const removed = touched.filter(({ was, now }) => was === "active" && now !== "active");
  const isDescending = isCountingDown(ids);
  return applyEdits(text, [
    ...editTopMembers(draft, text, root),
    ...touched.flatMap((task) => editTaskMembers(text, task, list.children?.[order.get(task.id) ?? -1])),
    ...editListElements(text, list, {
      removed: new Set(removed.flatMap(({ id }) => order.get(id) ?? [])),
      added: (isDescending ? added.toReversed() : added).map(({ raw }) => withoutArchiveKeys(raw)),
      isAtStart: isDescending,
    }),
  ]);
}

/** Whether the plan changes the task in state.json. */
function isTouched({ was, now, sets }: DraftTask): boolean {
  if (was !== "active" && now !== "active") return false;
  return was !== now || sets.size > 0;
}

function editTaskMembers(
  text: string,
  { now, sets }: DraftTask,
  element: JsonNode | undefined,
): readonly TextEdit[] {
  return element === undefined || now !== "active" ? [] : editMembers(text, element, sets);
}

/** Sets the counter, and the time of the last change if the file keeps one. */
function editTopMembers(draft: Draft, text: string, root: JsonNode): readonly TextEdit[] {
  const changes = new Map<string, unknown>();
  const hasCounter = findMemberValue(root, NEXT_NUMBER) !== undefined;
  if (draft.hasTakenNumbers || !hasCounter) changes.set(NEXT_NUMBER, draft.nextNumber);
  for (const key of ["last_updated", "_last_updated"])
    if (findMemberValue(root, key) !== undefined) changes.set(key, draft.now);
  return editMembers(text, root, changes);
}

function addMissingList(text: string, path: string): string {
  const root = parseJsonTree(text, path);
  if (findMemberValue(root, ACTIVE)?.type === "array") return text;
  return applyEdits(text, editMembers(text, root, new Map([[ACTIVE, []]])));
}

function withoutArchiveKeys(raw: Fields): Fields {
  return Object.fromEntries(Object.entries(raw).filter(([key]) => !archiveKeys.has(key)));
}
