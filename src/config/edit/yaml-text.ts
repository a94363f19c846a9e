import { isRecord } from "../../base/json.ts";

const PLAIN = /^[A-Za-z][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./-]+)*$/;
/** Words YAML, or an older reader of it, would take for something other than text. */
const RESERVED: ReadonlySet<string> = new Set(["true", "false", "null", "yes", "no", "on", "off", "y", "n"]);

/** A value as YAML writes it on one line; it also holds inside braces. */
export function yamlText(value: unknown): string {
  if (isRecord(value)) {
    const items = Object.entries(value).map(([name, item]) => `${name}: ${yamlText(item)}`);
    return items.length === 0 ? "{}" : `{ ${items.join(", ")} }`;
  }
  if (Array.isArray(value)) return `[${value.map(yamlText).join(", ")}]`;
  if (typeof value === "string") return isPlain(value) ? value : JSON.stringify(value);
  return String(value);
}

/** Nested keys as lines, each level two spaces deeper. */
export function yamlLines(path: readonly string[], value: unknown, indent: string): readonly string[] {
  const [name = "", ...rest] = path;
  if (rest.length === 0) return [`${indent}${name}: ${yamlText(value)}`];
  return [`${indent}${name}:`, ...yamlLines(rest, value, `${indent}  `)];
}

/** Nested keys inside braces. */
export function yamlFlow(path: readonly string[], value: unknown): string {
  const [name = "", ...rest] = path;
  return rest.length === 0 ? `${name}: ${yamlText(value)}` : `${name}: { ${yamlFlow(rest, value)} }`;
}

function isPlain(text: string): boolean {
  return PLAIN.test(text) && !RESERVED.has(text.toLowerCase());
}
