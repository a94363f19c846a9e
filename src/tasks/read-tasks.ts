import { posix } from "node:path";
import { DelegationError } from "../base/delegation-error.ts";
import { parseTodo, type TodoDocument, type TodoEntry } from "./markdown/parse-todo.ts";
import { readTodoValues } from "./markdown/todo-values.ts";
import { findFreeNumber, readFirstNumber, readSeenNumbers } from "./files/next-number.ts";
import { parseNumberSet } from "./model/number-set.ts";
import { readPendingFile } from "./files/pending-state.ts";
import { locateTaskFiles, type TaskPaths, type TaskPlace, type TaskReaderOptions } from "./files/place.ts";
import { parseJsonFile, readTaskFile } from "./files/read-file.ts";
import { parseArchive, parseState, type StateFile } from "./files/state-file.ts";
import { findTaskFolder, listFolders, makeFolderPath } from "./files/task-folder.ts";
import { normalizeId, parseTaskNumber } from "./model/task-id.ts";
import { readTextField, viewTask } from "./model/view-task.ts";
import type { LanguageSources, StoredTask, TaskFilter } from "./model/stored-task.ts";

export type { TaskPaths, TaskReaderOptions } from "./files/place.ts";

/** The reading half of the task store. It takes no lock, loads no schema library and reads only the files it needs. */
export interface TaskReader {
  readonly paths: TaskPaths;
  list(filter?: TaskFilter): readonly StoredTask[];
  /** An active task, or else an archived one. */
  find(id: number | string): StoredTask | undefined;
  /** The number of the next task; never one that was seen before on any branch. */
  nextNumber(): number;
  languages(id: number | string): LanguageSources;
  /** `specs/244_slug`, relative to the project's root: the existing folder, or else the one to create. */
  findFolder(task: StoredTask): string;
}

/** Reads the tasks of a project. A broken file is refused with the place of the error; a missing one counts as empty. */
export function openTaskReader(options: TaskReaderOptions): TaskReader {
  const place = locateTaskFiles(options);
  return {
    paths: place.paths,
    list: (filter = {}) => listTasks(place, filter),
    find: (id) => findTask(place, id),
    nextNumber: () => findNextNumber(place),
    languages: (id) => readLanguages(place, id),
    findFolder: (task) => findFolderPath(place, task),
  };
}

function listTasks(place: TaskPlace, filter: TaskFilter): readonly StoredTask[] {
  const { place: from = "active", withTodo = false } = filter;
  const state = from === "archived" ? undefined : readActiveFile(place);
  const active = state === undefined ? [] : viewAllTasks(place, state, false);
  const unknown = state === undefined || !withTodo ? [] : viewTodoOnly(place, state);
  const archived = from === "active" ? [] : viewAllTasks(place, readArchiveFile(place), true);
  const matches = buildMatcher(filter);
  return [...active, ...unknown, ...archived].filter(matches);
}

/** Most lists have no such entry, and then TODO.md is not parsed. */
function viewTodoOnly(place: TaskPlace, { tasks }: StateFile): readonly StoredTask[] {
  const missing = [...readTodoTitles(place).keys()].filter((id) => !tasks.has(id));
  if (missing.length === 0) return [];
  const archived = readArchiveFile(place).tasks;
  const wanted = new Set(missing.filter((id) => !archived.has(id)));
  const { projectRoot, paths } = place;
  return viewTodoEntries(readTaskFile(projectRoot, paths.todo) ?? "", paths.todo, wanted);
}

function findTask(place: TaskPlace, wanted: number | string): StoredTask | undefined {
  const id = normalizeId(wanted);
  if (id === undefined) return undefined;
  const active = readActiveFile(place).tasks.get(id);
  if (active !== undefined) {
    const title = readTextField(active, "title") === "" ? readTodoTitles(place).get(id) : undefined;
    return viewTask({ id, raw: active, archived: false, title });
  }
  const archived = readArchiveFile(place).tasks.get(id);
  return archived === undefined ? undefined : viewTask({ id, raw: archived, archived: true });
}

function readActiveFile(place: TaskPlace): StateFile {
  return parseState(readPendingFile(place, place.paths.state), place.paths.state);
}

function readArchiveFile(place: TaskPlace): StateFile {
  return parseArchive(readPendingFile(place, place.paths.archive), place.paths.archive);
}

/** Tasks of other tools may have their title only in TODO.md, so it is read if a title is missing. */
function viewAllTasks(place: TaskPlace, { tasks }: StateFile, archived: boolean): readonly StoredTask[] {
  const isUntitled = !archived && [...tasks.values()].some((raw) => readTextField(raw, "title") === "");
  const titles = isUntitled ? readTodoTitles(place) : new Map<string, string>();
  return [...tasks].map(([id, raw]) => viewTask({ id, raw, archived, title: titles.get(id) }));
}

/** Reads only headings, so that listing tasks works even if TODO.md is broken elsewhere. */
function readTodoTitles({ projectRoot, paths }: TaskPlace): ReadonlyMap<string, string> {
  const titles = new Map<string, string>();
  const text = readTaskFile(projectRoot, paths.todo) ?? "";
  for (let at = text.indexOf("### "); at !== -1; at = text.indexOf("\n### ", at + 1)) {
    const start = text.charAt(at) === "\n" ? at + 5 : at + 4;
    const end = text.indexOf("\n", start);
    const line = text.slice(start, end === -1 ? text.length : end).trim();
    const stop = line.indexOf(". ");
    const id = stop === -1 ? undefined : normalizeId(line.slice(0, stop));
    // The last heading counts: some lists have an overview above their tasks.
    if (id !== undefined) titles.set(id, line.slice(stop + 2).trim());
  }
  return titles;
}

function buildMatcher(filter: TaskFilter): (task: StoredTask) => boolean {
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

function findNextNumber(place: TaskPlace): number {
  const state = readActiveFile(place);
  const record = readTaskFile("", place.snapshot);
  const seen = record === undefined ? "" : readSeenNumbers(JSON.parse(record));
  const ids = [
    ...state.tasks.keys(),
    ...readArchiveFile(place).tasks.keys(),
    ...readTodoTitles(place).keys(),
  ];
  const used = new Set([...ids.flatMap((id) => parseTaskNumber(id) ?? []), ...parseNumberSet(seen)]);
  return findFreeNumber(readFirstNumber(state.top, used), used);
}

function readLanguages(place: TaskPlace, wanted: number | string): LanguageSources {
  const id = normalizeId(wanted) ?? "";
  const { projectRoot, paths } = place;
  const raw = readActiveFile(place).tasks.get(id) ?? {};
  const folder = findTaskFolder(listFolders(projectRoot, paths.dir), id, raw);
  const own = folder === undefined ? undefined : posix.join(paths.dir, folder, "state.json");
  const ownText = own === undefined ? undefined : readTaskFile(projectRoot, own);
  const todoText = readTaskFile(projectRoot, paths.todo);
  const todo = todoText === undefined ? undefined : parseTodo(todoText, paths.todo);
  const entry = todo?.entries.get(id);
  return {
    project:
      own === undefined || ownText === undefined ? undefined : readLanguage(parseJsonFile(ownText, own)),
    state: readLanguage(raw),
    todo: todo === undefined || entry === undefined ? undefined : readTodoValues(todo, entry).language,
  };
}

function readLanguage(fields: Readonly<Record<string, unknown>>): string | undefined {
  return readTextField(fields, "language") || readTextField(fields, "task_type") || undefined;
}

function findFolderPath({ projectRoot, paths }: TaskPlace, { id, slug, raw, archived }: StoredTask): string {
  const archive = posix.dirname(paths.archive);
  for (const directory of archived ? [archive, paths.dir] : [paths.dir]) {
    const name = findTaskFolder(listFolders(projectRoot, directory), id, raw);
    if (name !== undefined) return posix.join(directory, name);
  }
  return makeFolderPath(paths.dir, id, slug);
}

/** Entries of TODO.md as tasks, with what is written there. */
function viewTodoEntries(text: string, path: string, ids: ReadonlySet<string>): readonly StoredTask[] {
  const todo = tryParse(text, path);
  if (todo === undefined) return [];
  return [...todo.entries.values()].filter(({ id }) => ids.has(id)).map((entry) => viewEntry(todo, entry));
}

function viewEntry(todo: TodoDocument, entry: TodoEntry): StoredTask {
  const { dependencies = "", ...values } = readTodoValues(todo, entry);
  const raw = { ...values, dependencies: dependencies.split(",").filter((one) => one !== "") };
  return { ...viewTask({ id: entry.id, raw, archived: false }), isOnlyInTodo: true };
}

/** A broken TODO.md is refused by every change of tasks; the tasks of state.json can be listed all the same. */
function tryParse(text: string, path: string): TodoDocument | undefined {
  try {
    return parseTodo(text, path);
  } catch (error) {
    if (error instanceof DelegationError) return undefined;
    throw error;
  }
}
