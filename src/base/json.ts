/** The fields of a JSON object. */
export type JsonFields = Readonly<Record<string, unknown>>;

/** True for a JSON object; false for null, lists and plain values. */
export function isRecord(value: unknown): value is JsonFields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value of a JSON text. Undefined, which JSON cannot express, means that the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller decides what a text that is not JSON means.
    return undefined;
  }
}

/** A nested field of JSON from outside; undefined if it is missing. */
export function readFieldAt(value: unknown, ...path: readonly string[]): unknown {
  let at = value;
  for (const name of path) {
    if (typeof at !== "object" || at === null) return undefined;
    at = Object.getOwnPropertyDescriptor(at, name)?.value;
  }
  return at;
}

/** Whether two values have the same JSON text. */
export function isSameJson(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

type OptionalKeys<Fields> = {
  [Key in keyof Fields]-?: undefined extends Fields[Key] ? Key : never;
}[keyof Fields];

/** Fields that may be undefined become optional ones. */
export type DefinedFields<Fields> = Omit<Fields, OptionalKeys<Fields>> & {
  [Key in OptionalKeys<Fields>]?: Exclude<Fields[Key], undefined>;
};

/** A copy without the fields that are undefined, for objects whose keys are optional: `{ id, ...dropUndefined({ agent }) }`. */
export function dropUndefined<Fields extends object>(fields: Fields): DefinedFields<Fields>;
export function dropUndefined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
