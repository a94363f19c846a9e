export type Fields = Readonly<Record<string, unknown>>;

/** Here and not from the contract's readers: those bring a schema library, which reading a list must not wait for. */
export function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
