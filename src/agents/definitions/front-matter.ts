import { isRecord } from "../../base/json.ts";
import { TextMemo } from "../../base/text-memo.ts";

export interface FrontMatter {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** It was not valid YAML and was read line by line. */
  readonly isLoose: boolean;
}

const FENCE = "---";
const BYTE_ORDER_MARK = "\uFEFF";
const MAX_ALIASES = 20;

/** Words that begin lines of example dialogues; they are never fields. */
const SPEECH_WORDS: ReadonlySet<string> = new Set([
  "user",
  "assistant",
  "context",
  "commentary",
  "human",
  "system",
]);

/** The fields between the fences. Like the tools such files are made for, it accepts anything. */
export async function readFrontMatter(text: string): Promise<FrontMatter> {
  const { head, body } = splitFrontMatter(text);
  if (head === undefined) return { fields: {}, body, isLoose: false };
  const strict = await readYamlFields(head);
  return strict === undefined
    ? { fields: readLooseFields(head), body, isLoose: true }
    : { fields: strict, body, isLoose: false };
}

function splitFrontMatter(text: string): { readonly head: string | undefined; readonly body: string } {
  const plain = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  const lines = plain.replaceAll("\r\n", "\n").replaceAll("\r", "\n").split("\n");
  const first = lines.findIndex((line) => line.trim() !== "");
  const end = lines.findIndex((line, index) => index > first && line.trimEnd() === FENCE);
  if (lines[first]?.trimEnd() !== FENCE || end < 0) return { head: undefined, body: lines.join("\n").trim() };
  return {
    head: lines.slice(first + 1, end).join("\n"),
    body: lines
      .slice(end + 1)
      .join("\n")
      .trim(),
  };
}

/** Definitions are read again for every delegation. */
const knownFields = new TextMemo<Readonly<Record<string, unknown>>>();

/** Undefined if it is not valid YAML or not a list of fields. */
async function readYamlFields(head: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const known = knownFields.find(head, head);
  if (known !== undefined) return known;
  const { parseDocument } = await import("yaml");
  try {
    const document = parseDocument(head, { uniqueKeys: false, logLevel: "silent" });
    if (document.errors.length > 0) return undefined;
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    if (value === null) return {};
    return isRecord(value) ? knownFields.keep(head, head, value) : undefined;
  } catch {
    // Too many aliases, or a key that is not a text: it is read line by line instead.
    return undefined;
  }
}

type LooseValue = string | boolean | readonly string[] | Readonly<Record<string, string>>;

/**
 * Reads front matter that is not valid YAML because of its colons, quotation marks, tabs or line breaks. A line
 * `key: value` without indentation begins a field; every other line continues the one before it.
 */
function readLooseFields(head: string): Readonly<Record<string, LooseValue>> {
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
  if (!/^[A-Za-z_][\w.-]{0,60}$/.test(key) || SPEECH_WORDS.has(key.toLowerCase())) return undefined;
  return rest === "" || /^\s/.test(rest) || /^["'[{|>]/.test(rest) ? { key, rest: rest.trim() } : undefined;
}

function readLooseValue([first = "", ...more]: readonly string[]): LooseValue {
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

function readLooseScalar(text: string): LooseValue {
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
