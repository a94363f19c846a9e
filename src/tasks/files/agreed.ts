import { isRecord, parseJson } from "../../base/json.ts";
import { parseNumberSet, renderNumberSet } from "../model/number-set.ts";
import type { Fields } from "../model/fields.ts";
import {
  isConsistent,
  trackedFields,
  type TrackedField,
  type TrackedValues,
} from "../model/tracked-fields.ts";

/** The state both files and the journal last agreed on; the base of every three-way merge (C27). */
export interface Agreed {
  readonly tasks: AgreedTasks;
  /** Every number ever seen on any branch; none of them is used again. */
  readonly seen: ReadonlySet<number>;
  /** Hashes of state.json at which TODO.md agreed with it, to recognise a branch that comes back. */
  readonly hashes: readonly string[];
  /** Hashes of half-merged contents of state.json with the base they are compared with, in case they return. */
  readonly bases: ReadonlyMap<string, AgreedTasks>;
}

export type AgreedTasks = ReadonlyMap<string, AgreedTask>;

export interface AgreedTask {
  /** Undefined if only TODO.md has the task. */
  readonly state: TrackedValues | undefined;
  /** Undefined if TODO.md does not have the task. */
  readonly todo: TrackedValues | undefined;
}

const MAX_HASHES = 2000;
const MAX_BASES = 8;
const SAME = 1;

export function renderAgreed(agreed: Agreed): string {
  const bases = [...agreed.bases]
    .slice(-MAX_BASES)
    .map(([hash, tasks]): [string, unknown] => [hash, packAgreedTasks(tasks)]);
  return `${JSON.stringify({
    version: 1,
    seen: renderNumberSet(agreed.seen),
    hashes: agreed.hashes.slice(-MAX_HASHES),
    tasks: packAgreedTasks(agreed.tasks),
    bases: Object.fromEntries(bases),
  })}\n`;
}

/** Undefined without a readable record: then the files count as seen for the first time. */
export function parseAgreed(text: string | undefined): Agreed | undefined {
  const value = parseJson(text ?? "");
  if (!isRecord(value) || value["version"] !== 1 || !isRecord(value["tasks"])) return undefined;
  const { seen, hashes, bases } = value;
  const kept = isRecord(bases) ? Object.entries(bases) : [];
  return {
    tasks: unpackAgreedTasks(value["tasks"]),
    bases: new Map(
      kept.flatMap(([hash, tasks]) => (isRecord(tasks) ? [[hash, unpackAgreedTasks(tasks)]] : [])),
    ),
    seen: typeof seen === "string" ? parseNumberSet(seen) : new Set(),
    hashes: Array.isArray(hashes) ? hashes.filter((hash) => typeof hash === "string") : [],
  };
}

/** Whether TODO.md has the task and does not contradict it. */
export function hasSameValues(state: TrackedValues | undefined, todo: TrackedValues | undefined): boolean {
  if (state === undefined || todo === undefined) return false;
  return trackedFields.every((field) => isConsistent(field, state[field], todo[field]));
}

function buildTrackedValues(read: (field: TrackedField) => string | undefined): TrackedValues {
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

function packAgreedTasks(tasks: AgreedTasks): Fields {
  const pairs = [...tasks].map(([id, { state, todo }]): [string, unknown] => [
    id,
    [packValues(state), hasSameValues(state, todo) ? SAME : packValues(todo)],
  ]);
  return Object.fromEntries(pairs);
}

function unpackAgreedTasks(fields: Fields): AgreedTasks {
  const tasks = new Map<string, AgreedTask>();
  for (const [id, pair] of Object.entries(fields)) {
    if (!Array.isArray(pair)) continue;
    const values: readonly unknown[] = pair;
    const state = unpackValues(values[0]);
    tasks.set(id, { state, todo: values[1] === SAME ? state : unpackValues(values[1]) });
  }
  return tasks;
}

function packValues(values: TrackedValues | undefined): unknown {
  return values === undefined ? null : trackedFields.map((field) => values[field] ?? null);
}

function unpackValues(value: unknown): TrackedValues | undefined {
  if (!Array.isArray(value)) return undefined;
  const list: readonly unknown[] = value;
  return buildTrackedValues((field) => {
    const item = list[trackedFields.indexOf(field)];
    return typeof item === "string" ? item : undefined;
  });
}
