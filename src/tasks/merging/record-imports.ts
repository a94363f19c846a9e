import type { Draft } from "../planning/draft.ts";
import type { Fields } from "../model/fields.ts";
import type { TaskChange } from "../model/task-operation.ts";
import {
  readStateValues,
  trackedFields,
  type TrackedField,
  type TrackedValues,
} from "../model/tracked-fields.ts";

/** What the journal has not heard yet: the tasks as planned against what was last agreed, whoever changed them. */
export function recordImports(draft: Draft): void {
  const { agreed } = draft.sources;
  const ids = new Set([...(agreed?.tasks.keys() ?? []), ...draft.activeIds(), ...draft.tasks.keys()]);
  for (const id of ids) {
    const change = changeOf(draft, id, agreed?.tasks.get(id)?.state);
    if (change !== undefined) draft.imported.push(change);
  }
}

/** Everything the journal keeps of a task. */
export function journalFields(raw: Fields): Readonly<Record<string, unknown>> {
  const values = readStateValues(raw);
  return Object.fromEntries(trackedFields.flatMap((field) => entryOf(field, values[field])));
}

function changeOf(draft: Draft, id: string, known: TrackedValues | undefined): TaskChange | undefined {
  const raw = draft.active(id);
  if (raw === undefined) return known === undefined ? undefined : gone(draft, id);
  const source = (what: string): TaskChange["source"] =>
    draft.takenFromTodo.has(`${id} ${what}`) ? "TODO.md" : "state.json";
  if (known === undefined) {
    return { taskId: id, kind: "adopted", source: source("created"), fields: journalFields(raw), before: {} };
  }
  const values = readStateValues(raw);
  const changed = trackedFields.filter((field) => values[field] !== known[field]);
  const [first] = changed;
  if (first === undefined) return undefined;
  return {
    taskId: id,
    kind: "changed",
    source: changed.some((field) => source(field) === "TODO.md") ? "TODO.md" : source(first),
    fields: Object.fromEntries(changed.map((field) => [field, valueOf(field, values[field])])),
    before: Object.fromEntries(changed.flatMap((field) => entryOf(field, known[field]))),
  };
}

function gone(draft: Draft, id: string): TaskChange {
  const archived = draft.archived(id);
  const source = draft.takenFromTodo.has(`${id} archived`) ? "TODO.md" : "state.json";
  if (archived === undefined)
    return { taskId: id, kind: "removed", source, fields: { removed: true }, before: {} };
  const reason = archived["archive_reason"] ?? archived["status"] ?? "archived";
  return { taskId: id, kind: "archived", source, fields: { archived: true, reason }, before: {} };
}

function entryOf(field: TrackedField, value: string | undefined): readonly [string, unknown][] {
  return value === undefined ? [] : [[field, valueOf(field, value)]];
}

function valueOf(field: TrackedField, value: string | undefined): unknown {
  if (value === undefined) return null;
  if (field !== "dependencies") return value;
  return value === "" ? [] : value.split(",");
}
