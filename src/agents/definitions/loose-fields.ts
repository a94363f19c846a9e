type Value = string | boolean | readonly string[] | Readonly<Record<string, string>>;

/** Words that begin lines of example dialogues; they are never fields. */
const SPEECH: ReadonlySet<string> = new Set([
  "user",
  "assistant",
  "context",
  "commentary",
  "human",
  "system",
]);

/**
 * Reads front matter that is not valid YAML because of its colons, quotation marks, tabs or line breaks. A line
 * `key: value` without indentation begins a field; every other line continues the one before it.
 */
export function readLooseFields(head: string): Readonly<Record<string, Value>> {
  const fields = new Map<string, string[]>();
  let current: string[] | undefined;
  for (const line of head.split("\n")) {
    const start = readFieldStart(line);
    if (start === undefined) {
      current?.push(line);
      continue;
    }
    current = [start.rest];
    fields.set(start.key, current);
  }
  return Object.fromEntries([...fields].map(([key, lines]) => [key, readLooseValue(lines)]));
}

function readFieldStart(line: string): { readonly key: string; readonly rest: string } | undefined {
  const colon = line.indexOf(":");
  const key = line.slice(0, Math.max(colon, 0)).trimEnd();
  const rest = line.slice(colon + 1);
  if (!/^[A-Za-z_][\w.-]{0,60}$/.test(key) || SPEECH.has(key.toLowerCase())) return undefined;
  return rest === "" || /^\s/.test(rest) || /^["'[{|>]/.test(rest) ? { key, rest: rest.trim() } : undefined;
}

function readLooseValue([first = "", ...more]: readonly string[]): Value {
  const lines = more.map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#"));
  if (lines.length === 0) return readLooseScalar(first);
  if (first === "" && lines.every((line) => line.startsWith("- ") || line === "-"))
    return lines.map((line) => removeQuotes(line.slice(1).trim()));
  if (first === "" && lines.every((line) => /^["']?[\w.*-]+["']?:/.test(line))) return readLooseMap(lines);
  const text = /^[|>][+-]?\d?$/.test(first) ? more : [first, ...more];
  return removeQuotes(
    text
      .map((line) => line.trim())
      .join("\n")
      .trim(),
  );
}

function readLooseScalar(text: string): Value {
  if (text === "true" || text === "false") return text === "true";
  if (text.startsWith("[") && text.endsWith("]"))
    return text
      .slice(1, -1)
      .split(",")
      .map((item) => removeQuotes(item.trim()))
      .filter((item) => item !== "");
  return removeQuotes(text);
}

function readLooseMap(lines: readonly string[]): Readonly<Record<string, string>> {
  const entries = lines.map((line) => {
    const colon = line.indexOf(":");
    return [removeQuotes(line.slice(0, colon).trim()), removeQuotes(line.slice(colon + 1).trim())] as const;
  });
  return Object.fromEntries(entries);
}

function removeQuotes(text: string): string {
  const mark = text.charAt(0);
  const isQuoted = text.length > 1 && (mark === '"' || mark === "'") && text.endsWith(mark);
  return isQuoted ? text.slice(1, -1) : text;
}
