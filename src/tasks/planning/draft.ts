import type { TrackedField } from "../model/tracked-fields.ts";
import type { Fields } from "../model/fields.ts";
import { firstNumber, nextFree } from "../files/next-number.ts";
import { numberOf } from "../model/task-id.ts";
import type { TaskArtifact } from "../model/stored-task.ts";
import type { TaskChange } from "../model/task-operation.ts";
import type { Sources } from "./sources.ts";

type TaskPlaceName = "active" | "archived" | "none";

/** One task of a plan: where it was, where it is to be, and what becomes of its fields and its entry. */
export interface DraftTask {
  readonly id: string;
  readonly was: TaskPlaceName;
  now: TaskPlaceName;
  raw: Fields;
  /** Members of its object to set; undefined takes one out. */
  readonly sets: Map<string, unknown>;
  /** Fields that TODO.md has to be brought into line with. */
  readonly shown: Set<TrackedField>;
  readonly links: TaskArtifact[];
  /** The id its entry has in TODO.md as it is, when that one must be renumbered. */
  entryId: string;
  entry: "keep" | "add" | "remove";
  /** The text to add again, of a task that was archived with it. */
  entryText: string | undefined;
}

/**
 * A plan in the making. Everything is decided here, in memory; writing comes after. Hand edits go in first, then the
 * operation, so that the operation sees the tasks as people left them.
 */
export class Draft {
  readonly sources: Sources;
  readonly now: string;
  readonly imported: TaskChange[] = [];
  readonly changes: TaskChange[] = [];
  readonly warnings: string[] = [];
  readonly tasks = new Map<string, DraftTask>();
  /** `<id> <field>`: what came from TODO.md, for the journal. */
  readonly takenFromTodo = new Set<string>();
  /** Archived doubles of active tasks, left by a move that was cut short. */
  readonly dropped = new Set<string>();
  nextNumber: number;
  /** Whether the counter has to be written. */
  hasTakenNumbers = false;
  readonly #used: Set<number>;

  constructor(sources: Sources, now: string) {
    this.sources = sources;
    this.now = now;
    this.#used = usedNumbers(sources);
    this.nextNumber = firstNumber(sources.state.top, this.#used);
  }

  /** Ids of the tasks that are active in this plan, in the order of the file. */
  activeIds(): readonly string[] {
    const known = [...this.sources.state.tasks.keys()].filter((id) => this.active(id) !== undefined);
    const fresh = [...this.tasks.values()].filter(({ was, now }) => was !== "active" && now === "active");
    return [...known, ...fresh.map(({ id }) => id)];
  }

  /** An active task's fields as planned. */
  active(id: string): Fields | undefined {
    const task = this.tasks.get(id);
    if (task !== undefined) return task.now === "active" ? task.raw : undefined;
    return this.sources.state.tasks.get(id);
  }

  archived(id: string): Fields | undefined {
    const task = this.tasks.get(id);
    if (task !== undefined && task.was !== "active") return task.now === "archived" ? task.raw : undefined;
    return task?.now === "archived" ? task.raw : this.sources.archive.tasks.get(id);
  }

  /** Sets one field of an active task in state.json. */
  set(id: string, key: string, value: unknown): void {
    const task = this.edit(id);
    task.sets.set(key, value);
    task.raw = withField(task.raw, key, value);
  }

  /** Brings a field of TODO.md into line with state.json. */
  show(id: string, field: TrackedField): void {
    this.edit(id).shown.add(field);
  }

  /** A task that was in neither list; `entryId` when a person already wrote its entry. */
  create(id: string, raw: Fields, entryId?: string): void {
    const number = numberOf(id);
    if (number !== undefined) this.#use(number);
    this.tasks.set(id, {
      ...blank(id, "none", raw),
      now: "active",
      entryId: entryId ?? id,
      entry: entryId === undefined ? "add" : "keep",
    });
  }

  archive(id: string, fields: Fields): void {
    const task = this.edit(id);
    task.now = "archived";
    task.raw = { ...task.raw, ...fields };
    task.entry = "remove";
  }

  recover(id: string, fields: Fields, entryText: string | undefined): void {
    const raw = this.sources.archive.tasks.get(id) ?? {};
    this.tasks.set(id, {
      ...blank(id, "archived", { ...raw, ...fields }),
      now: "active",
      entry: "add",
      entryText,
    });
  }

  /** A task that stays in the archive while its entry leaves TODO.md. */
  keepArchived(id: string): void {
    const raw = this.sources.archive.tasks.get(id) ?? {};
    this.tasks.set(id, { ...blank(id, "archived", raw), entry: "remove" });
  }

  edit(id: string): DraftTask {
    const known = this.tasks.get(id);
    if (known !== undefined) return known;
    const raw = this.sources.state.tasks.get(id);
    const task = blank(id, raw === undefined ? "none" : "active", raw ?? {});
    this.tasks.set(id, task);
    return task;
  }

  isUsed(number: number): boolean {
    return this.#used.has(number);
  }

  /** The next free number; it is taken for good with this plan. */
  takeNumber(): number {
    const number = nextFree(this.nextNumber, this.#used);
    this.#used.add(number);
    this.nextNumber = number + 1;
    this.hasTakenNumbers = true;
    return number;
  }

  usedNumbers(): ReadonlySet<number> {
    return this.#used;
  }

  /** A number that a person chose above all others moves the counter, for tools that read nothing but the counter. */
  #use(number: number): void {
    this.#used.add(number);
    if (number < this.nextNumber) return;
    for (const other of this.#used) if (other > number) return;
    this.nextNumber = number + 1;
    this.hasTakenNumbers = true;
  }
}

function blank(id: string, was: TaskPlaceName, raw: Fields): DraftTask {
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

function withField(raw: Fields, key: string, value: unknown): Fields {
  if (value !== undefined) return { ...raw, [key]: value };
  return Object.fromEntries(Object.entries(raw).filter(([name]) => name !== key));
}

/** Numbers in state.json, the archive, TODO.md, and all that were ever seen. */
function usedNumbers({ state, archive, todo, agreed }: Sources): Set<number> {
  const ids = [...state.tasks.keys(), ...archive.tasks.keys(), ...(todo?.entries.keys() ?? [])];
  return new Set([...ids.flatMap((id) => numberOf(id) ?? []), ...(agreed?.seen ?? [])]);
}
