/** Reads a nested field of foreign JSON; undefined if it is missing or has another type. */
export function readFieldAt(value: unknown, ...path: readonly string[]): unknown {
  let at = value;
  for (const name of path) {
    if (typeof at !== "object" || at === null) return undefined;
    at = Object.getOwnPropertyDescriptor(at, name)?.value;
  }
  return at;
}

export function readTextAt(value: unknown, ...path: readonly string[]): string {
  const found = readFieldAt(value, ...path);
  return typeof found === "string" ? found : "";
}

export function readListAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = readFieldAt(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** Content in the form of all four APIs: one text, or parts of which some are text. */
export function readContentText(content: unknown): string {
  if (typeof content === "string") return content;
  return readListAt(content)
    .map((part) => readTextAt(part, "text"))
    .join("\n");
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Callers treat it as text.
    return undefined;
  }
}
