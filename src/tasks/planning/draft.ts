import type { TrackedField } from "../model/tracked-fields.ts";
import type { Fields } from "../model/fields.ts";
import { readFirstNumber, findFreeNumber } from "../files/next-number.ts";
import { parseTaskNumber } from "../model/task-id.ts";
import type { TaskArtifact } from "../model/stored-task.ts";
import type { TaskChange } from "../model/task-operation.ts";
import type { Sources } from "./sources.ts";

type TaskPlaceName = "active" | "archived" | "none";

/** One task of a plan: its old and new place, and the changes of its fields and its entry. */
export interface DraftTask {
  readonly id: string;
  readonly was: TaskPlaceName;
  now: TaskPlaceName;
  raw: Fields;
  /** Members of its object to set; undefined removes one. */
  readonly sets: Map<string, unknown>;
  /** Fields to update in TODO.md. */
  readonly shown: Set<TrackedField>;
  readonly links: TaskArtifact[];
  /** The id of its entry in TODO.md before the plan; differs from `id` if the entry is renumbered. */
  entryId: string;
  entry: "keep" | "add" | "remove";
  /** The stored text of a recovered task's entry. */
  entryText: string | undefined;
}

/**
 * A plan in progress. Everything is decided in memory before anything is written. Hand edits are merged first, so that
 * the operation sees the tasks as people left them.
 */
export class Draft {
  readonly sources: Sources;
  readonly now: string;
  readonly imported: TaskChange[] = [];
  readonly changes: TaskChange[] = [];
  readonly warnings: string[] = [];
  readonly tasks = new Map<string, DraftTask>();
  /** Changes that came from TODO.md, as `<id> <field>`, for the journal. */
  readonly takenFromTodo = new Set<string>();
  /** Archived copies of active tasks, left by an interrupted move. */
  readonly dropped = new Set<string>();
  nextNumber: number;
  /** Whether the counter has to be written. */
  hasTakenNumbers = false;
  readonly #used: Set<number>;

  constructor(sources: Sources, now: string) {
    this.sources = sources;
    this.now = now;
    this.#used = collectUsedNumbers(sources);
    this.nextNumber = readFirstNumber(sources.state.top, this.#used);
  }

  /** Ids of the tasks that are active in this plan, in file order. */
  listActiveIds(): readonly string[] {
    const known = [...this.sources.state.tasks.keys()].filter((id) => this.findActive(id) !== undefined);
    const fresh = [...this.tasks.values()].filter(({ was, now }) => was !== "active" && now === "active");
    return [...known, ...fresh.map(({ id }) => id)];
  }

  /** The planned fields of an active task. */
  findActive(id: string): Fields | undefined {
    const task = this.tasks.get(id);
    if (task !== undefined) return task.now === "active" ? task.raw : undefined;
    return this.sources.state.tasks.get(id);
  }

  findArchived(id: string): Fields | undefined {
    const task = this.tasks.get(id);
    if (task !== undefined && task.was !== "active") return task.now === "archived" ? task.raw : undefined;
    return task?.now === "archived" ? task.raw : this.sources.archive.tasks.get(id);
  }

  /** Sets one field of an active task in state.json. */
  setField(id: string, key: string, value: unknown): void {
    const task = this.editTask(id);
    task.sets.set(key, value);
    task.raw = replaceField(task.raw, key, value);
  }

  /** Updates a field of TODO.md from state.json. */
  showInTodo(id: string, field: TrackedField): void {
    this.editTask(id).shown.add(field);
  }

  /** Adds a task that was in neither list; `entryId` if a person already wrote its entry. */
  createTask(id: string, raw: Fields, entryId?: string): void {
    const number = parseTaskNumber(id);
    if (number !== undefined) this.#use(number);
    this.tasks.set(id, {
      ...makeDraftTask(id, "none", raw),
      now: "active",
      entryId: entryId ?? id,
      entry: entryId === undefined ? "add" : "keep",
    });
  }

  archiveTask(id: string, fields: Fields): void {
    const task = this.editTask(id);
    task.now = "archived";
    task.raw = { ...task.raw, ...fields };
    task.entry = "remove";
  }

  recoverTask(id: string, fields: Fields, entryText: string | undefined): void {
    const raw = this.sources.archive.tasks.get(id) ?? {};
    this.tasks.set(id, {
      ...makeDraftTask(id, "archived", { ...raw, ...fields }),
      now: "active",
      entry: "add",
      entryText,
    });
  }

  /** Keeps a task in the archive and removes its entry from TODO.md. */
  keepArchived(id: string): void {
    const raw = this.sources.archive.tasks.get(id) ?? {};
    this.tasks.set(id, { ...makeDraftTask(id, "archived", raw), entry: "remove" });
  }

  editTask(id: string): DraftTask {
    const known = this.tasks.get(id);
    if (known !== undefined) return known;
    const raw = this.sources.state.tasks.get(id);
    const task = makeDraftTask(id, raw === undefined ? "none" : "active", raw ?? {});
    this.tasks.set(id, task);
    return task;
  }

  /** Takes the next free number; it is never used again. */
  takeNextNumber(): number {
    const number = findFreeNumber(this.nextNumber, this.#used);
    this.#used.add(number);
    this.nextNumber = number + 1;
    this.hasTakenNumbers = true;
    return number;
  }

  listUsedNumbers(): ReadonlySet<number> {
    return this.#used;
  }

  /** A number above all others moves the counter, for tools that read only the counter. */
  #use(number: number): void {
    this.#used.add(number);
    if (number < this.nextNumber) return;
    for (const other of this.#used) if (other > number) return;
    this.nextNumber = number + 1;
    this.hasTakenNumbers = true;
  }
}

function makeDraftTask(id: string, was: TaskPlaceName, raw: Fields): DraftTask {
  return {
    id,
    was,
    now: was,
    raw,
    sets: new Map(),
    shown: new Set(),
    links: [],
    entryId: id,
    entry: "keep",
    entryText: undefined,
  };
}

function replaceField(raw: Fields, key: string, value: unknown): Fields {
  if (value !== undefined) return { ...raw, [key]: value };
  return Object.fromEntries(Object.entries(raw).filter(([name]) => name !== key));
}

/** The numbers in state.json, the archive and TODO.md, and all numbers ever seen. */
function collectUsedNumbers({ state, archive, todo, agreed }: Sources): Set<number> {
  const ids = [...state.tasks.keys(), ...archive.tasks.keys(), ...(todo?.entries.keys() ?? [])];
  return new Set([...ids.flatMap((id) => parseTaskNumber(id) ?? []), ...(agreed?.seen ?? [])]);
}
