import type { StoredEvent } from "../journal/store.ts";

/** One line of the journal as lists show it, beside the exact document that was hashed. */
export interface AuditEntry {
  readonly seq: number;
  readonly at: string;
  readonly type: string;
  /** The delegation or task it is about, else the story. */
  readonly about: string;
  readonly attempt: number;
  /** What matters most in it, in a few words; empty when the type says it all. */
  readonly detail: string;
  readonly hash: string;
  readonly document: Readonly<Record<string, unknown>>;
}

/** Reads events for display: also ones a later version wrote, so nothing but their shape is assumed. */
export function buildAuditList(events: readonly StoredEvent[]): readonly AuditEntry[] {
  return events.map(({ seq, body, hash }) => {
    const document = fieldsOf(parse(body));
    const data = fieldsOf(document["data"]);
    return {
      seq,
      at: textOf(document["at"]),
      type: textOf(document["type"]),
      about: textOf(document["delegation"]) || taskOf(data) || textOf(document["story"]),
      attempt: Number(document["attempt"] ?? 0),
      detail: taskOf(data) === "" ? describe(data) : describeTask(data),
      hash,
      document,
    };
  });
}

/** The wire form: the event as stored, under its published schema, with its hash. */
export function auditDocument(entry: AuditEntry): Readonly<Record<string, unknown>> {
  return { ...entry.document, hash: entry.hash };
}

/** In this order: the first that an event carries explains it best. */
const telling = ["outcome", "code", "status", "description", "title", "reason", "path", "into", "text"];

function describe(data: Readonly<Record<string, unknown>>): string {
  const failures = Array.isArray(data["failures"]) ? data["failures"] : [];
  const codes = failures.map((failure) => textOf(fieldsOf(failure)["code"])).filter(Boolean);
  const values = telling.map((name) => textOf(data[name])).filter(Boolean);
  return [codes.join(", "), ...values].filter(Boolean).slice(0, 2).join(": ");
}

function taskOf(data: Readonly<Record<string, unknown>>): string {
  const id = textOf(data["taskId"]);
  return id === "" ? "" : `task ${id}`;
}

/** They change with every change and tell nothing. */
const silent: ReadonlySet<string> = new Set(["last_updated", "project_number", "archived"]);
const SHOWN_FIELDS = 3;

/** `changed by TODO.md: status completed, priority high` */
function describeTask(data: Readonly<Record<string, unknown>>): string {
  const source = textOf(data["source"]);
  const named = Object.entries(fieldsOf(data["fields"])).filter(([name]) => !silent.has(name));
  const shown = named.slice(0, SHOWN_FIELDS).map(([name, value]) => `${name} ${textOf(value)}`.trim());
  const by = source === "" || source === "store" ? "" : ` by ${source}`;
  const more = named.length > SHOWN_FIELDS ? [`${named.length - SHOWN_FIELDS} more`] : [];
  const what = [...shown, ...more].join(", ");
  return [`${textOf(data["kind"])}${by}`, what].filter(Boolean).join(": ");
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // A damaged event is still listed; verifying the chain names it.
    return {};
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
