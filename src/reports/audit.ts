import { isRecord, type JsonFields, parseJson } from "../base/json.ts";
import type { StoredEvent } from "../journal/store.ts";
import { describeAnswer } from "./answer-text.ts";
import { readEventFields, type Fields } from "./events/fields.ts";

/** One line of the journal as lists show it, with the exact document that was hashed. */
export interface AuditEntry {
  readonly seq: number;
  readonly at: string;
  readonly type: string;
  /** The delegation or task the event is about, else the story. */
  readonly about: string;
  readonly attempt: number;
  /** The most important fact in a few words; empty if the type says everything. */
  readonly detail: string;
  readonly hash: string;
  readonly document: JsonFields;
}

/** Reads events for display. It assumes only their shape, because a later version may have written them. */
export function buildAuditList(events: readonly StoredEvent[]): readonly AuditEntry[] {
  return events.map(({ seq, body, hash }) => {
    const document = parseDocument(body);
    const event = readEventFields(document);
    const data = event.within("data");
    const task = describeTaskName(data);
    const type = event.text("type");
    return {
      seq,
      at: event.text("at"),
      type,
      about: event.text("delegation") || task || event.text("story"),
      attempt: Number(document["attempt"] ?? 0),
      detail: describeDetail(type, document["data"]),
      hash,
      document,
    };
  });
}

/** The wire form: the event as stored, under its published schema, with its hash. */
export interface AuditDocument {
  readonly [key: string]: unknown;
  readonly seq: number;
  readonly hash: string;
}

export function buildAuditDocument({ document, seq, hash }: AuditEntry): AuditDocument {
  return { ...document, seq, hash };
}

function describeDetail(type: string, value: unknown): string {
  if (type === "approval-answered") return describeAnswer(value);
  const data = readEventFields(value);
  return describeTaskName(data) === "" ? describeEvent(data) : describeTask(data);
}

/** Ordered by how well the field explains an event. */
const tellingFields = ["outcome", "code", "status", "description", "title", "reason", "path", "into", "text"];

function describeEvent(data: Fields): string {
  const codes = data.list("failures").map((failure) => failure.text("code"));
  const values = tellingFields.map((name) => data.text(name)).filter(Boolean);
  return [codes.filter(Boolean).join(", "), ...values].filter(Boolean).slice(0, 2).join(": ");
}

function describeTaskName(data: Fields): string {
  const id = data.text("taskId");
  return id === "" ? "" : `task ${id}`;
}

/** Every change sets these fields, so they tell the reader nothing. */
const hiddenFields: ReadonlySet<string> = new Set(["last_updated", "project_number", "archived"]);
const MAX_SHOWN_FIELDS = 3;

/** `changed by TODO.md: status completed, priority high` */
function describeTask(data: Fields): string {
  const source = data.text("source");
  const fields = data.within("fields");
  const names = fields.names().filter((name) => !hiddenFields.has(name));
  const shown = names.slice(0, MAX_SHOWN_FIELDS).map((name) => `${name} ${fields.text(name)}`.trim());
  const by = source === "" || source === "store" ? "" : ` by ${source}`;
  const more = names.length > MAX_SHOWN_FIELDS ? [`${names.length - MAX_SHOWN_FIELDS} more`] : [];
  return [`${data.text("kind")}${by}`, [...shown, ...more].join(", ")].filter(Boolean).join(": ");
}

/** A damaged event is still listed; verifying the chain names it. */
function parseDocument(body: string): JsonFields {
  const value = parseJson(body);
  return isRecord(value) ? value : {};
}
