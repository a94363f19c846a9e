import { parseJson, isSameJson } from "./json.ts";

/** A list on one line: `a,b`, or JSON where an item would be read as something else. `parseList` reads both. */
export function formatList(items: readonly unknown[]): string {
  const text = items.join(",");
  const isPlain = items.every((item) => typeof item === "string" || typeof item === "number");
  const isRead = isPlain && isSameJson(parseList(text), items.map(String));
  return isRead ? text : JSON.stringify(items);
}

/**
 * `a,b` or `["a", "b"]`; undefined if the text is in brackets but no JSON list, or begins like one and does not end.
 * `[ab].env,*.[cd]` is not in brackets.
 */
export function parseList(text: string): readonly unknown[] | undefined {
  const word = text.trim();
  if (!word.startsWith("[") || !word.endsWith("]"))
    return word.startsWith('["') ? undefined : splitList(word);
  const value = parseJson(word);
  if (Array.isArray(value)) return Array.from<unknown>(value);
  return word.indexOf("]") === word.length - 1 ? undefined : splitList(word);
}

export function splitList(text: string): readonly string[] {
  return text.split(",").flatMap((item) => (item.trim() === "" ? [] : [item.trim()]));
}
