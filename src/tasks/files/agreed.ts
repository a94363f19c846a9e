import { parseNumberSet, renderNumberSet } from "../model/number-set.ts";
import { type Fields, isRecord } from "../model/fields.ts";
import { agree, trackedFields, type TrackedField, type TrackedValues } from "../model/tracked-fields.ts";

/** What both files and the journal last agreed on; the base of every three-way comparison (C27). */
export interface Agreed {
  readonly tasks: AgreedTasks;
  /** Every number ever met, on any branch: none of them is given out again. */
  readonly seen: ReadonlySet<number>;
  /** Contents of state.json at which TODO.md said the same, so that a branch that comes back is known. */
  readonly hashes: readonly string[];
  /** Contents of state.json that were found half-merged, and what they had to be compared with, should they return. */
  readonly bases: ReadonlyMap<string, AgreedTasks>;
}

export type AgreedTasks = ReadonlyMap<string, AgreedTask>;

export interface AgreedTask {
  /** Undefined for an entry that only TODO.md has. */
  readonly state: TrackedValues | undefined;
  /** Undefined for a task that TODO.md does not show. */
  readonly todo: TrackedValues | undefined;
}

const MOST_HASHES = 2000;
const MOST_BASES = 8;
const SAME = 1;

export function renderAgreed(agreed: Agreed): string {
  const bases = [...agreed.bases]
    .slice(-MOST_BASES)
    .map(([hash, tasks]): [string, unknown] => [hash, packedTasks(tasks)]);
  return `${JSON.stringify({
    version: 1,
    seen: renderNumberSet(agreed.seen),
    hashes: agreed.hashes.slice(-MOST_HASHES),
    tasks: packedTasks(agreed.tasks),
    bases: Object.fromEntries(bases),
  })}\n`;
}

/** Undefined when there is none, or none that can be read: then the files are met for the first time. */
export function parseAgreed(text: string | undefined): Agreed | undefined {
  const value = text === undefined ? undefined : parseOrNothing(text);
  if (!isRecord(value) || value["version"] !== 1 || !isRecord(value["tasks"])) return undefined;
  const { seen, hashes, bases } = value;
  const kept = isRecord(bases) ? Object.entries(bases) : [];
  return {
    tasks: unpackedTasks(value["tasks"]),
    bases: new Map(kept.flatMap(([hash, tasks]) => (isRecord(tasks) ? [[hash, unpackedTasks(tasks)]] : []))),
    seen: typeof seen === "string" ? parseNumberSet(seen) : new Set(),
    hashes: Array.isArray(hashes) ? hashes.filter((hash) => typeof hash === "string") : [],
  };
}

/** Whether TODO.md shows the task and contradicts it nowhere. */
export function isSame(state: TrackedValues | undefined, todo: TrackedValues | undefined): boolean {
  if (state === undefined || todo === undefined) return false;
  return trackedFields.every((field) => agree(field, state[field], todo[field]));
}

function toTracked(read: (field: TrackedField) => string | undefined): TrackedValues {
  return {
    title: read("title"),
    status: read("status"),
    language: read("language"),
    priority: read("priority"),
    effort: read("effort"),
    dependencies: read("dependencies"),
    description: read("description"),
  };
}

function packedTasks(tasks: AgreedTasks): Fields {
  const pairs = [...tasks].map(([id, { state, todo }]): [string, unknown] => [
    id,
    [packed(state), isSame(state, todo) ? SAME : packed(todo)],
  ]);
  return Object.fromEntries(pairs);
}

function unpackedTasks(fields: Fields): AgreedTasks {
  const tasks = new Map<string, AgreedTask>();
  for (const [id, pair] of Object.entries(fields)) {
    if (!Array.isArray(pair)) continue;
    const values: readonly unknown[] = pair;
    const state = unpacked(values[0]);
    tasks.set(id, { state, todo: values[1] === SAME ? state : unpacked(values[1]) });
  }
  return tasks;
}

function packed(values: TrackedValues | undefined): unknown {
  return values === undefined ? null : trackedFields.map((field) => values[field] ?? null);
}

function unpacked(value: unknown): TrackedValues | undefined {
  if (!Array.isArray(value)) return undefined;
  const list: readonly unknown[] = value;
  return toTracked((field) => {
    const item = list[trackedFields.indexOf(field)];
    return typeof item === "string" ? item : undefined;
  });
}

function parseOrNothing(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    // Written whole or not at all; one that a disk has spoiled is no base for anything.
    return undefined;
  }
}
