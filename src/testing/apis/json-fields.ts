import { readFieldAt } from "../../base/json.ts";

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
