import { posix } from "node:path";
import { parseTodo } from "./markdown/parse-todo.ts";
import { readTodoValues } from "./markdown/todo-values.ts";
import { firstNumber, nextFree, seenIn } from "./files/next-number.ts";
import { parseNumberSet } from "./model/number-set.ts";
import { readPending } from "./files/pending-state.ts";
import { findPlace, type TaskPaths, type TaskPlace, type TaskReaderOptions } from "./files/place.ts";
import { parseJsonFile, readTaskFile } from "./files/read-file.ts";
import { parseArchive, parseState, type StateFile } from "./files/state-file.ts";
import { findFolder, listFolders, plainFolder } from "./files/task-folder.ts";
import { canonicalId, numberOf } from "./model/task-id.ts";
import { textOf, viewTask } from "./model/view-task.ts";
import type { LanguageSources, StoredTask, TaskFilter } from "./model/stored-task.ts";

export type { TaskPaths, TaskReaderOptions } from "./files/place.ts";

/** The reading half of the task store: no lock, no schema library, one file where one is enough. */
export interface TaskReader {
  readonly paths: TaskPaths;
  list(filter?: TaskFilter): readonly StoredTask[];
  /** Active, else archived. */
  find(id: number | string): StoredTask | undefined;
  /** The number the next task gets; never one that was seen before, on any branch. */
  nextNumber(): number;
  languages(id: number | string): LanguageSources;
  /** `specs/244_slug`, relative to the project's root: the folder that is there, else the one to make. */
  folderOf(task: StoredTask): string;
}

/** Reads a project's tasks; broken files are refused with their place, missing ones are empty lists. */
export function openTaskReader(options: TaskReaderOptions): TaskReader {
  const place = findPlace(options);
  return {
    paths: place.paths,
    list: (filter = {}) => listTasks(place, filter),
    find: (id) => findTask(place, id),
    nextNumber: () => nextNumber(place),
    languages: (id) => languagesOf(place, id),
    folderOf: (task) => folderOf(place, task),
  };
}

function listTasks(place: TaskPlace, filter: TaskFilter): readonly StoredTask[] {
  const { place: from = "active" } = filter;
  const active = from === "archived" ? [] : viewAll(place, readActive(place), false);
  const archived = from === "active" ? [] : viewAll(place, readArchived(place), true);
  const matches = matcher(filter);
  return [...active, ...archived].filter(matches);
}

function findTask(place: TaskPlace, wanted: number | string): StoredTask | undefined {
  const id = canonicalId(wanted);
  if (id === undefined) return undefined;
  const active = readActive(place).tasks.get(id);
  if (active !== undefined) {
    const title = textOf(active, "title") === "" ? titlesIn(place).get(id) : undefined;
    return viewTask({ id, raw: active, archived: false, title });
  }
  const archived = readArchived(place).tasks.get(id);
  return archived === undefined ? undefined : viewTask({ id, raw: archived, archived: true });
}

function readActive(place: TaskPlace): StateFile {
  return parseState(readPending(place, place.paths.state), place.paths.state);
}

function readArchived(place: TaskPlace): StateFile {
  return parseArchive(readPending(place, place.paths.archive), place.paths.archive);
}

/** Tasks of other tools have no title but in TODO.md; only for those it is read. */
function viewAll(place: TaskPlace, { tasks }: StateFile, archived: boolean): readonly StoredTask[] {
  const isUntitled = !archived && [...tasks.values()].some((raw) => textOf(raw, "title") === "");
  const titles = isUntitled ? titlesIn(place) : new Map<string, string>();
  return [...tasks].map(([id, raw]) => viewTask({ id, raw, archived, title: titles.get(id) }));
}

/** Headings only, by their look: a list must not fail because TODO.md is broken elsewhere. */
function titlesIn({ projectRoot, paths }: TaskPlace): ReadonlyMap<string, string> {
  const titles = new Map<string, string>();
  const text = readTaskFile(projectRoot, paths.todo) ?? "";
  for (let at = text.indexOf("### "); at !== -1; at = text.indexOf("\n### ", at + 1)) {
    const start = text.charAt(at) === "\n" ? at + 5 : at + 4;
    const end = text.indexOf("\n", start);
    const line = text.slice(start, end === -1 ? text.length : end).trim();
    const stop = line.indexOf(". ");
    const id = stop === -1 ? undefined : canonicalId(line.slice(0, stop));
    // The last one: lists that put an overview on top have their tasks below it.
    if (id !== undefined) titles.set(id, line.slice(stop + 2).trim());
  }
  return titles;
}

function matcher(filter: TaskFilter): (task: StoredTask) => boolean {
  const { statuses, language, priority, parent, text } = filter;
  const wanted = text?.toLowerCase();
  return (task) =>
    (statuses === undefined || statuses.includes(task.status)) &&
    (language === undefined || task.language === language) &&
    (priority === undefined || task.priority === priority) &&
    (parent === undefined || task.parent === parent) &&
    (wanted === undefined ||
      [task.title, task.slug, task.description].some((field) => field.toLowerCase().includes(wanted)));
}

function nextNumber(place: TaskPlace): number {
  const state = readActive(place);
  const record = readTaskFile("", place.snapshot);
  const seen = record === undefined ? "" : seenIn(JSON.parse(record));
  const ids = [...state.tasks.keys(), ...readArchived(place).tasks.keys(), ...titlesIn(place).keys()];
  const used = new Set([...ids.flatMap((id) => numberOf(id) ?? []), ...parseNumberSet(seen)]);
  return nextFree(firstNumber(state.top, used), used);
}

function languagesOf(place: TaskPlace, wanted: number | string): LanguageSources {
  const id = canonicalId(wanted) ?? "";
  const { projectRoot, paths } = place;
  const raw = readActive(place).tasks.get(id) ?? {};
  const folder = findFolder(listFolders(projectRoot, paths.dir), id, raw);
  const own = folder === undefined ? undefined : posix.join(paths.dir, folder, "state.json");
  const ownText = own === undefined ? undefined : readTaskFile(projectRoot, own);
  const todoText = readTaskFile(projectRoot, paths.todo);
  const todo = todoText === undefined ? undefined : parseTodo(todoText, paths.todo);
  const entry = todo?.entries.get(id);
  return {
    project: own === undefined || ownText === undefined ? undefined : languageIn(parseJsonFile(ownText, own)),
    state: languageIn(raw),
    todo: todo === undefined || entry === undefined ? undefined : readTodoValues(todo, entry).language,
  };
}

function languageIn(fields: Readonly<Record<string, unknown>>): string | undefined {
  return textOf(fields, "language") || textOf(fields, "task_type") || undefined;
}

function folderOf({ projectRoot, paths }: TaskPlace, { id, slug, raw, archived }: StoredTask): string {
  const archive = posix.dirname(paths.archive);
  for (const directory of archived ? [archive, paths.dir] : [paths.dir]) {
    const name = findFolder(listFolders(projectRoot, directory), id, raw);
    if (name !== undefined) return posix.join(directory, name);
  }
  return plainFolder(paths.dir, id, slug);
}
