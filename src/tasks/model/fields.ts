import type { JsonFields } from "../../base/json.ts";

/** The fields of a task as a file has them. */
export type Fields = JsonFields;

/** The elements of a value that should be a list; none if it is something else. */
export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
