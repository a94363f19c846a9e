import type { Draft } from "../planning/draft.ts";
import type { Fields } from "../model/fields.ts";
import type { TaskChange } from "../model/task-operation.ts";
import {
  readStateValues,
  trackedFields,
  type TrackedField,
  type TrackedValues,
} from "../model/tracked-fields.ts";

/** Records the differences between the planned tasks and the agreed record, which the journal does not have yet. */
export function recordImports(draft: Draft): void {
  const { agreed } = draft.sources;
  const ids = new Set([...(agreed?.tasks.keys() ?? []), ...draft.listActiveIds(), ...draft.tasks.keys()]);
  for (const id of ids) {
    const change = describeChange(draft, id, agreed?.tasks.get(id)?.state);
    if (change !== undefined) draft.imported.push(change);
  }
}

/** The fields of a task that the journal stores. */
export function journalFields(raw: Fields): Readonly<Record<string, unknown>> {
  const values = readStateValues(raw);
  return Object.fromEntries(trackedFields.flatMap((field) => toFieldEntry(field, values[field])));
}

function describeChange(draft: Draft, id: string, known: TrackedValues | undefined): TaskChange | undefined {
  const raw = draft.findActive(id);
  if (raw === undefined) return known === undefined ? undefined : describeGone(draft, id);
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
    fields: Object.fromEntries(changed.map((field) => [field, toJournalValue(field, values[field])])),
    before: Object.fromEntries(changed.flatMap((field) => toFieldEntry(field, known[field]))),
  };
}

function describeGone(draft: Draft, id: string): TaskChange {
  const archived = draft.findArchived(id);
  const source = draft.takenFromTodo.has(`${id} archived`) ? "TODO.md" : "state.json";
  if (archived === undefined)
    return { taskId: id, kind: "removed", source, fields: { removed: true }, before: {} };
  const reason = archived["archive_reason"] ?? archived["status"] ?? "archived";
  return { taskId: id, kind: "archived", source, fields: { archived: true, reason }, before: {} };
}

function toFieldEntry(field: TrackedField, value: string | undefined): readonly [string, unknown][] {
  return value === undefined ? [] : [[field, toJournalValue(field, value)]];
}

function toJournalValue(field: TrackedField, value: string | undefined): unknown {
  if (value === undefined) return null;
  if (field !== "dependencies") return value;
  return value === "" ? [] : value.split(",");
}
