import { safeText } from "../../base/safe-text.ts";
import type { ImportedItem } from "../importing/imported-item.ts";
import { readJsonItems } from "../importing/read-json-items.ts";
import { readMarkdownItems } from "../importing/read-markdown-items.ts";
import type { Draft } from "../planning/draft.ts";
import { taskErrors } from "../../errors/tasks.ts";
import { MAX_FILE_BYTES, refuseConflictMarkers } from "../files/read-file.ts";
import { toWrittenId } from "../model/task-id.ts";
import type { TaskFailure } from "../model/task-operation.ts";
import type { TaskImport } from "../model/stored-task.ts";
import { MAX_DESCRIPTION_LENGTH, MAX_TITLE_LENGTH } from "./check-fields.ts";
import { addTaskToDraft } from "./create-tasks.ts";
import { countTasks, makeFailure, type Operation } from "./outcome.ts";

const MAX_TASKS = 5000;

/** Makes tasks from another tool's file. Tasks imported from the same source before are skipped. */
export function importTasks({ text, source }: TaskImport): Operation {
  const items = readImportedItems(text, source);
  return {
    name: "import_tasks",
    plan: (draft) => {
      const known = findImported(draft, source);
      const fresh = items.filter(({ id }) => !known.has(id));
      const ids = new Map<string, string>(known);
      const failures: TaskFailure[] = [];
      for (const item of fresh) {
        const made = addImportedItem(draft, item, { source, ids });
        if (typeof made === "string") ids.set(item.id, made);
        else
          failures.push({ ...made, taskId: item.id, message: `${source}, task ${item.id}: ${made.message}` });
      }
      for (const item of fresh) connectDependencies(draft, item, ids);
      const made = fresh.flatMap(({ id }) => ids.get(id) ?? []);
      const skipped = items.length - fresh.length;
      const rest = skipped === 0 ? "" : `; ${countTasks(skipped)} had been imported before`;
      const summary = (): string => `Imported ${countTasks(made.length)} from ${source}${rest}`;
      return { taskIds: made, succeeded: made, failures, summary };
    },
  };
}

function readImportedItems(text: string, source: string): readonly ImportedItem[] {
  if (text.length > MAX_FILE_BYTES)
    throw taskErrors.fileBroken(source, `it has more than ${MAX_FILE_BYTES} characters`);
  refuseConflictMarkers(text, source);
  const plain = text.startsWith("\u{feff}") ? text.slice(1) : text;
  const isJson = plain.trimStart().startsWith("{") || plain.trimStart().startsWith("[");
  const items = isJson
    ? readJsonItems(parseJsonText(plain, source), source)
    : readMarkdownItems(plain, source);
  if (items.length === 0) throw taskErrors.fileBroken(source, "it has no tasks");
  if (items.length > MAX_TASKS)
    throw taskErrors.fileBroken(source, `it has ${items.length} tasks; the limit is ${MAX_TASKS}`);
  return items;
}

function parseJsonText(text: string, source: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch (error) {
    throw taskErrors.fileBroken(
      source,
      `it is not valid JSON (${error instanceof Error ? error.message : String(error)})`,
    );
  }
}

function findImported(draft: Draft, source: string): ReadonlyMap<string, string> {
  const known = new Map<string, string>();
  for (const [id, raw] of [...draft.sources.archive.tasks, ...draft.sources.state.tasks]) {
    const sourceId = raw["source_id"];
    if (raw["source"] === source && typeof sourceId === "string") known.set(sourceId, id);
  }
  return known;
}

function addImportedItem(
  draft: Draft,
  item: ImportedItem,
  { source, ids }: { readonly source: string; readonly ids: ReadonlyMap<string, string> },
): string | TaskFailure {
  const parent = item.parent === undefined ? undefined : ids.get(item.parent);
  if (item.title.trim() === "") {
    return makeFailure(item.id, "TASK_INVALID", [
      "it has no title",
      "Give it one, or use --continue-on-error.",
    ]);
  }
  const task = {
    title: cleanTitleLine(item.title).slice(0, MAX_TITLE_LENGTH),
    description: cleanMultilineText(item.description).slice(0, MAX_DESCRIPTION_LENGTH),
    language: item.language,
    priority: item.priority,
    ...(parent === undefined ? {} : { parent }),
  };
  return addTaskToDraft(draft, task, {
    status: item.status,
    source,
    source_id: item.id,
    ...(item.criteria.length === 0 ? {} : { criteria: item.criteria }),
  });
}

/** Sets dependencies after all tasks have their numbers. */
function connectDependencies(draft: Draft, item: ImportedItem, ids: ReadonlyMap<string, string>): void {
  const id = ids.get(item.id);
  const dependencies = [...new Set(item.dependencies.flatMap((other) => ids.get(other) ?? []))].filter(
    (other) => other !== id,
  );
  if (id === undefined || dependencies.length === 0 || draft.findActive(id) === undefined) return;
  draft.setField(id, "dependencies", dependencies.map(toWrittenId));
  draft.changes.push({ taskId: id, kind: "changed", source: "store", fields: { dependencies }, before: {} });
}

function cleanTitleLine(text: string): string {
  return safeText(text).trim();
}

function cleanMultilineText(text: string): string {
  return text
    .split("\n")
    .map((line) => safeText(line))
    .join("\n");
}
