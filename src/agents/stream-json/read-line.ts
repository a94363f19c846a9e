import type { AgentEvent } from "../adapter-types/agent-adapter.ts";

/** An object from outside: every field still has to be narrowed. */
export type Fields = Readonly<Record<string, unknown>>;

type ReadEvent = (fields: Fields) => readonly AgentEvent[] | undefined;

/**
 * A parser of one event per line. `read` returns undefined for an unknown event. Such lines, and lines that are not
 * objects, become raw events; blank lines are skipped.
 */
export function createLineParser(read: ReadEvent): (line: string) => readonly AgentEvent[] {
  return (line) => {
    const fields = readJsonObject(line);
    const events = fields === undefined ? undefined : read(fields);
    if (events !== undefined) return events;
    return line.trim() === "" ? [] : [{ kind: "raw", line }];
  };
}

export function readJsonObject(line: string): Fields | undefined {
  if (!line.trimStart().startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isFields(value) ? value : undefined;
  } catch {
    // Cut in the middle, or not an event at all.
    return undefined;
  }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Any other value has no fields. */
export function readFields(value: unknown): Fields {
  return isFields(value) ? value : {};
}

export function readList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function readText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Any other value counts as zero. */
export function readCount(value: unknown): number {
  if (typeof value !== "number" || !(value > 0)) return 0;
  return Math.min(Math.round(value), Number.MAX_SAFE_INTEGER);
}

const SESSION = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,199}$/;

/** The id becomes an argument of the next start, so only a plain name may pass. */
export function sessionEvents(id: unknown): readonly AgentEvent[] {
  return typeof id === "string" && SESSION.test(id) ? [{ kind: "session-known", id }] : [];
}
