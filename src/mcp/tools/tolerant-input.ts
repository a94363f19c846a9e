import { isRecord } from "../../base/json.ts";
import type { FieldSchema, ListSchema, RecordSchema } from "./tool-schema.ts";

/**
 * Models often miss a schema slightly: null for absent, "true" for true, "3" for 3, JSON inside a string, one object
 * instead of a list. This is the only place that corrects it; the runtime still checks the result strictly. Never
 * throws; a value that cannot be corrected stays as it is.
 */
export function tolerate(schema: RecordSchema, input: unknown): Readonly<Record<string, unknown>> {
  const value = readValue(schema, input);
  return isRecord(value) ? value : {};
}

function readValue(schema: FieldSchema, value: unknown): unknown {
  switch (schema.type) {
    case "object":
      return readRecord(schema, value);
    case "array":
      return readList(schema, value);
    case "boolean":
      return readSwitch(value);
    case "number":
    case "integer":
      return typeof value === "string" ? readNumber(value) : value;
    case "string":
      return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
  }
}

function readRecord(schema: RecordSchema, value: unknown): unknown {
  const given = typeof value === "string" ? parseJson(value) : value;
  if (!isRecord(given)) return given;
  const fields = Object.entries(wrapSingle(schema, given))
    .filter(([, field]) => field !== null && field !== undefined)
    .map(([name, field]): [string, unknown] => {
      const known = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
      return [name, known === undefined ? field : readValue(known, field)];
    })
    .filter(([, field]) => field !== undefined);
  // Not an object literal: a key called __proto__ must stay a key.
  return Object.fromEntries(fields);
}

/**
 * A call with one list of records, such as `tasks`, is often made with the fields of a single record instead. They are
 * wrapped only if none of them is a field of the call itself.
 */
function wrapSingle(
  schema: RecordSchema,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const lists = Object.entries(schema.properties).filter(([, field]) => field.type === "array");
  const [only] = lists;
  if (only === undefined || lists.length !== 1) return given;
  const [name, field] = only;
  if (field.type !== "array" || field.items.type !== "object" || Object.hasOwn(given, name)) return given;
  const inner = field.items.properties;
  const isOwn = (key: string): boolean => Object.hasOwn(schema.properties, key);
  const entries = Object.entries(given);
  if (!entries.some(([key]) => Object.hasOwn(inner, key) && !isOwn(key))) return given;
  const single = Object.fromEntries(entries.filter(([key]) => !isOwn(key)));
  return { ...Object.fromEntries(entries.filter(([key]) => isOwn(key))), [name]: [single] };
}

function readList(schema: ListSchema, value: unknown): unknown {
  const parsed = typeof value === "string" ? listFromText(schema, value) : value;
  if (!Array.isArray(parsed) && !isRecord(parsed)) return parsed;
  const items: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  return items.filter((item) => item !== null).map((item) => readValue(schema.items, item));
}

/** A text instead of a list of texts becomes its only entry, unless it is JSON. */
function listFromText(schema: ListSchema, value: string): unknown {
  const parsed = parseJson(value);
  if (Array.isArray(parsed) || isRecord(parsed)) return parsed;
  return schema.items.type === "string" && value.trim() !== "" ? [value] : value;
}

function readSwitch(value: unknown): unknown {
  if (value === "true" || value === "True" || value === 1) return true;
  return value === "false" || value === "False" || value === 0 ? false : value;
}

/** Plain decimals only; the runtime refuses other notations. */
function readNumber(value: string): unknown {
  const trimmed = value.trim();
  const number = /^-?\d+(?:\.\d+)?$/.test(trimmed) ? Number(trimmed) : Number.NaN;
  return Number.isFinite(number) ? number : value;
}

function parseJson(value: string): unknown {
  const start = value.trimStart().charAt(0);
  if (start !== "{" && start !== "[") return value;
  try {
    const parsed: unknown = JSON.parse(value);
    return parsed;
  } catch {
    // It only looked like JSON; the runtime says what is wrong with it.
    return value;
  }
}
