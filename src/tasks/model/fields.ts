export type Fields = Readonly<Record<string, unknown>>;

/** Not taken from the contract, whose readers load a schema library that listing tasks should not wait for. */
export function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The elements of a value that should be a list; none if it is something else. */
export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
