import { isRecord, parseJson } from "../../base/json.ts";
import { parseList, splitList } from "../../base/list-text.ts";
import type { ConfigKey } from "../../contract/config-keys.ts";

const TRUE_WORDS: ReadonlySet<string> = new Set(["true", "1", "yes", "on"]);
const FALSE_WORDS: ReadonlySet<string> = new Set(["false", "0", "no", "off"]);
const DECIMAL = /^-?\d+(?:\.\d+)?$/;

/**
 * Parses text (a flag, a variable, `config set`) in the type of its key. Text that cannot be parsed stays text, so
 * that checking it against the key refuses it by name.
 */
export function parseText(key: ConfigKey, text: string): unknown {
  const word = text.trim();
  const lower = word.toLowerCase();
  if (key.nullable && (lower === "null" || (lower === "none" && key.type !== "text"))) return null;
  switch (key.type) {
    case "boolean":
      return parseSwitch(word) ?? word;
    case "integer":
    case "number":
      return DECIMAL.test(word) ? Number(word) : word;
    case "list":
      return parseList(word) ?? word;
    case "map":
      return parseMap(word);
    case "text":
    case "choice":
      return word;
  }
}

/** `NODE_ENV=test,PORT=3000` or a JSON object; a part without `=` makes the whole text unusable. */
function parseMap(text: string): unknown {
  if (text.startsWith("{") && text.endsWith("}")) {
    const value = parseJson(text);
    return isRecord(value) ? value : text;
  }
  const items = splitList(text);
  if (items.some((item) => !item.includes("="))) return text;
  return Object.fromEntries(
    items.map((item) => [item.slice(0, item.indexOf("=")), item.slice(item.indexOf("=") + 1)]),
  );
}

/** Parses the usual words for on and off. */
export function parseSwitch(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  if (TRUE_WORDS.has(word)) return true;
  return FALSE_WORDS.has(word) ? false : undefined;
}
