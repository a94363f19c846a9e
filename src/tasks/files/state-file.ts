import { taskErrors } from "../../errors/tasks.ts";
import { isRecord } from "../../base/json.ts";
import type { Fields } from "../model/fields.ts";
import { parseJsonFile } from "./read-file.ts";
import { normalizeId } from "../model/task-id.ts";

/** state.json: the whole object, and its tasks by id. */
export interface StateFile {
  readonly top: Fields;
  readonly tasks: ReadonlyMap<string, Fields>;
}

/** The lists of an archive; `completed_projects` is the one every tool knows. */
export const archiveLists = ["completed_projects", "abandoned_projects", "archived_projects"] as const;
export type ArchiveList = (typeof archiveLists)[number];

export const ACTIVE = "active_projects";
export const NEXT_NUMBER = "next_project_number";

export function parseState(text: string | undefined, path: string): StateFile {
  if (text === undefined) return { top: {}, tasks: new Map() };
  const top = parseJsonFile(text, path);
  return { top, tasks: readTaskList(top, { name: ACTIVE, path, isUnique: true }) };
}

/** After numbers wrapped around, an archive may have a number more than once: the last one counts. */
export function parseArchive(text: string | undefined, path: string): StateFile {
  if (text === undefined) return { top: {}, tasks: new Map() };
  const top = parseJsonFile(text, path);
  const tasks = new Map<string, Fields>();
  for (const name of archiveLists) {
    for (const [id, task] of readTaskList(top, { name, path, isUnique: false })) tasks.set(id, task);
  }
  return { top, tasks };
}

interface ListQuestion {
  readonly name: string;
  readonly path: string;
  /** Whether an id must not be there twice; otherwise the last one counts. */
  readonly isUnique: boolean;
}

function readTaskList(top: Fields, { name, path, isUnique }: ListQuestion): ReadonlyMap<string, Fields> {
  const tasks = new Map<string, Fields>();
  for (const [index, item] of readListMember(top, name, path).entries()) {
    const where = `${name}[${index}]`;
    if (!isRecord(item)) throw taskErrors.fileBroken(path, `${where} is not an object`);
    const id = normalizeId(item["project_number"]);
    if (id === undefined)
      throw taskErrors.fileBroken(path, `${where} has no project_number that names a task`);
    if (isUnique && tasks.has(id)) throw taskErrors.duplicateId(path, id);
    tasks.set(id, item);
  }
  return tasks;
}

function readListMember(top: Fields, name: string, path: string): readonly unknown[] {
  const list = top[name];
  if (list === undefined || list === null) return [];
  if (Array.isArray(list)) return list;
  throw taskErrors.fileBroken(path, `${name} is not a list`);
}
