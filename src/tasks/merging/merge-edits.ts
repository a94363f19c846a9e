import type { TodoDocument, TodoEntry } from "../markdown/parse-todo.ts";
import type { Draft } from "../planning/draft.ts";
import type { Sources } from "../planning/sources.ts";
import type { Fields } from "../model/fields.ts";
import type { AgreedTask } from "../files/agreed.ts";
import { mergeMissing, type MergeScope } from "./merge-missing.ts";
import { takeFromTodo } from "./take-from-todo.ts";
import { readTodoValues } from "../markdown/todo-values.ts";
import { isConsistent, readStateValues, trackedFields, type TrackedField } from "../model/tracked-fields.ts";

/** A field that differs between both files and for which the later change has to be found. */
export interface Disagreement {
  readonly id: string;
  readonly field: TrackedField;
  readonly entry: TodoEntry;
  readonly stateValue: string;
  readonly todoValue: string;
  /**
   * The winner if both changes are equally old. A difference from before the store goes to state.json (C22); a newer one
   * comes from a person, because the store writes both files alike and people edit TODO.md.
   */
  readonly tie: "state.json" | "TODO.md";
}

/**
 * Imports what people, other tools and other branches changed since the files last agreed, by comparing each field with
 * its value at that time. A change on one side is imported; fields that changed on both sides are returned.
 */
export function mergeHandEdits(draft: Draft, scope: MergeScope): readonly Disagreement[] {
  const { sources } = draft;
  const disagreements: Disagreement[] = [];
  for (const id of findHalfMoved(sources, scope)) draft.dropped.add(id);
  mergeMissing(draft, scope);
  for (const [id, entry] of sources.todo?.entries ?? []) {
    if (sources.todo === undefined || !sources.state.tasks.has(id)) continue;
    disagreements.push(
      ...mergeFields({ draft, todo: sources.todo, entry, id, isSynced: scope.isSynced(id) }),
    );
  }
  return disagreements;
}

/** Also finds a task that a branch brings back. After numbers wrapped around, an equal number may be another task. */
function findHalfMoved({ state, archive }: Sources, { halfMoved }: MergeScope): readonly string[] {
  const both = [...archive.tasks].filter(([id]) => state.tasks.has(id));
  const isOne = (id: string, archived: Fields): boolean =>
    ["project_name", "created"].every(
      (key) => archived[key] !== undefined && archived[key] === state.tasks.get(id)?.[key],
    );
  return both.filter(([id, archived]) => halfMoved.has(id) || isOne(id, archived)).map(([id]) => id);
}

interface TaskMerge {
  readonly draft: Draft;
  readonly todo: TodoDocument;
  readonly entry: TodoEntry;
  readonly id: string;
  readonly isSynced: boolean;
}

function mergeFields(merge: TaskMerge): readonly Disagreement[] {
  const { draft, todo, entry, id } = merge;
  const state = readStateValues(draft.sources.state.tasks.get(id) ?? {});
  const values = readTodoValues(todo, entry);
  const base = findAgreedBase(draft.sources, id);
  return trackedFields.flatMap((field) => {
    const stateValue = state[field];
    const todoValue = values[field];
    if (todoValue === undefined || isConsistent(field, stateValue, todoValue)) return [];
    const side = chooseChangedSide({ base, field, stateValue, todoValue, isSynced: merge.isSynced });
    if (side === "TODO.md")
      takeFromTodo(draft, { id, field, entry, isHandEdit: base !== undefined && base !== "first contact" });
    if (side === "state.json") draft.showInTodo(id, field);
    if (side !== "both") return [];
    const tie = isOldDifference({ base, field, stateValue, todoValue }) ? "state.json" : "TODO.md";
    return [{ id, field, entry, stateValue: stateValue ?? "", todoValue, tie }];
  });
}

interface FieldFacts {
  readonly base: AgreedTask | "first contact" | undefined;
  readonly field: TrackedField;
  readonly stateValue: string | undefined;
  readonly todoValue: string;
  readonly isSynced: boolean;
}

/** The side that changed a field since the files agreed; "neither" keeps an old difference. */
function chooseChangedSide(facts: FieldFacts): "TODO.md" | "state.json" | "both" | "neither" {
  const { base, field, stateValue, todoValue, isSynced } = facts;
  const undecided = stateValue === undefined ? "TODO.md" : "both";
  // Other tools shorten descriptions in TODO.md; making both equal would lose text.
  const old = field === "description" && stateValue !== undefined ? "neither" : undecided;
  if (base === "first contact") return isSynced ? old : "neither";
  if (base === undefined) return undecided;
  const isStateChanged = stateValue !== base.state?.[field];
  const isTodoChanged = todoValue !== base.todo?.[field];
  if (isStateChanged && isTodoChanged) return undecided;
  if (isTodoChanged) return "TODO.md";
  if (isStateChanged) return stateValue === undefined ? "neither" : "state.json";
  return isSynced ? old : "neither";
}

function isOldDifference({ base, field, stateValue, todoValue }: Omit<FieldFacts, "isSynced">): boolean {
  if (base === "first contact") return true;
  return base !== undefined && stateValue === base.state?.[field] && todoValue === base.todo?.[field];
}

function findAgreedBase(sources: Sources, id: string): AgreedTask | "first contact" | undefined {
  if (sources.agreed === undefined) return "first contact";
  if (!sources.isStateAgreed) return sources.base?.get(id);
  const state = readStateValues(sources.state.tasks.get(id) ?? {});
  return { state, todo: state };
}
