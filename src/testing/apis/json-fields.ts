/** Looking into JSON that others sent: what is not there or not of the kind asked for is simply absent. */
export function field(value: unknown, ...path: readonly string[]): unknown {
  let at = value;
  for (const name of path) {
    if (typeof at !== "object" || at === null) return undefined;
    at = Object.getOwnPropertyDescriptor(at, name)?.value;
  }
  return at;
}

export function textAt(value: unknown, ...path: readonly string[]): string {
  const found = field(value, ...path);
  return typeof found === "string" ? found : "";
}

export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = field(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** Content as all of them send it: one text, or parts of which some are text. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  return listAt(content)
    .map((part) => textAt(part, "text"))
    .join("\n");
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Whoever asks treats it as text.
    return undefined;
  }
}
