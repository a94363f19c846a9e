import { editList, editMembers, rootOf } from "../json/edit-json.ts";
import { readArray, readObject, type JsonArray } from "../json/json-spans.ts";
import { applyEdits, type TextEdit } from "../markdown/lines.ts";
import type { Fields } from "../model/fields.ts";
import { ACTIVE, NEXT_NUMBER } from "../files/state-file.ts";
import { numberOf } from "../model/task-id.ts";
import type { Draft, DraftTask } from "./draft.ts";

const EMPTY = `{\n  "${NEXT_NUMBER}": 1,\n  "${ACTIVE}": []\n}\n`;

/** What the archive adds to a task, and what a recovered one loses again. */
const archiveKeys: ReadonlySet<string> = new Set(["archived", "archive_reason", "todo_entry"]);

/** state.json after the plan; objects and members that nothing changed keep their bytes. */
export function renderState(draft: Draft): string | undefined {
  const { state, texts } = draft.sources;
  const tasks = [...draft.tasks.values()];
  const touched = tasks.filter(isTouched);
  if (touched.length === 0 && !draft.hasTakenNumbers) return texts.state;
  const text = withList(texts.state ?? EMPTY);
  const root = rootOf(text);
  const list = readArray(text, root.members.get(ACTIVE)?.value.start ?? 0);
  const edits = [...topEdits(draft, text)];
  const order = new Map([...state.tasks.keys()].map((id, index) => [id, index]));
  const inside = touched.flatMap((task) => memberEdits(text, list, { task, index: order.get(task.id) }));
  const added = touched.filter(({ was, now }) => was !== "active" && now === "active");
  const removed = touched.filter(({ was, now }) => was === "active" && now !== "active");
  if (added.length + removed.length === 0) return applyEdits(text, [...edits, ...inside]);
  const isDescending = countsDown([...state.tasks.keys()]);
  const change = editList(text, list, {
    removed: new Set(removed.flatMap(({ id }) => order.get(id) ?? [])),
    added: (isDescending ? added.toReversed() : added).map(({ raw }) => withoutArchiveKeys(raw)),
    place: isDescending ? "first" : "last",
    edits: inside,
  });
  return applyEdits(text, [...edits, change]);
}

/** Whether state.json differs for it. */
function isTouched({ was, now, sets }: DraftTask): boolean {
  if (was !== "active" && now !== "active") return false;
  return was !== now || sets.size > 0;
}

function memberEdits(
  text: string,
  list: JsonArray,
  { task, index }: { readonly task: DraftTask; readonly index: number | undefined },
): readonly TextEdit[] {
  const element = index === undefined ? undefined : list.elements[index];
  if (element === undefined || task.now !== "active") return [];
  return editMembers(text, readObject(text, element.start), task.sets);
}

/** The counter, and the time of the last change where the file keeps one. */
function topEdits(draft: Draft, text: string): readonly TextEdit[] {
  const root = rootOf(text);
  const changes = new Map<string, unknown>();
  if (draft.hasTakenNumbers || !root.members.has(NEXT_NUMBER)) changes.set(NEXT_NUMBER, draft.nextNumber);
  for (const key of ["last_updated", "_last_updated"]) if (root.members.has(key)) changes.set(key, draft.now);
  return editMembers(text, root, changes);
}

function withList(text: string): string {
  const root = rootOf(text);
  const value = root.members.get(ACTIVE)?.value;
  if (value !== undefined && text.charAt(value.start) === "[") return text;
  return applyEdits(text, editMembers(text, root, new Map([[ACTIVE, []]])));
}

function withoutArchiveKeys(raw: Fields): Fields {
  return Object.fromEntries(Object.entries(raw).filter(([key]) => !archiveKeys.has(key)));
}

function countsDown(ids: readonly string[]): boolean {
  const first = numberOf(ids[0] ?? "");
  const last = numberOf(ids.at(-1) ?? "");
  return first !== undefined && last !== undefined && first > last;
}
