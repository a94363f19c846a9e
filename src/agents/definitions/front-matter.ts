import { isRecord } from "../../base/json.ts";
import { TextMemo } from "../../base/text-memo.ts";
import { readLooseFields } from "./loose-fields.ts";

export interface FrontMatter {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** It was not valid YAML and was read line by line. */
  readonly isLoose: boolean;
}

const FENCE = "---";
const BYTE_ORDER_MARK = "\uFEFF";
const MAX_ALIASES = 20;

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
