export type Fields = Readonly<Record<string, unknown>>;

/** Objects of a list in what somebody sent; nothing where there is none. */
export function listOf(value: unknown, name: string): readonly Fields[] {
  const list = fieldsOf(value)[name];
  return Array.isArray(list) ? list.filter(isFields) : [];
}

export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
