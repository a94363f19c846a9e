import { parseJson, isRecord, readFieldAt } from "../../base/json.ts";
import { findLastObject } from "../../base/find-json-object.ts";
import type { PromptFacts } from "./prompt-facts.ts";

/** The values that `{{…}}` in a script can name. */
export interface FillFacts extends PromptFacts {
  readonly prompt: string;
  readonly model: string;
  readonly results: readonly string[];
}

/** Fills every text in a value. A text that is exactly one placeholder becomes the value it names. */
export function fillValue(value: unknown, facts: FillFacts): unknown {
  if (typeof value === "string") return fillWholeText(value, facts);
  if (Array.isArray(value)) return value.map((item) => fillValue(item, facts));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fillValue(item, facts)]));
}

export function fillPlaceholders(text: string, facts: FillFacts): string {
  let filled = "";
  let at = 0;
  for (;;) {
    const open = text.indexOf("{{", at);
    const close = open < 0 ? -1 : text.indexOf("}}", open);
    if (close < 0) return filled + text.slice(at);
    const value = lookUpPlaceholder(text.slice(open + 2, close).trim(), facts);
    const shown = value === undefined ? text.slice(open, close + 2) : printAsText(value);
    filled += text.slice(at, open) + shown;
    at = close + 2;
  }
}

function fillWholeText(text: string, facts: FillFacts): unknown {
  const isOne = text.startsWith("{{") && text.indexOf("}}") === text.length - 2;
  const value = isOne ? lookUpPlaceholder(text.slice(2, -2).trim(), facts) : undefined;
  return value ?? fillPlaceholders(text, facts);
}

/** Undefined for an unknown name; the placeholder then stays visible. */
function lookUpPlaceholder(name: string, facts: FillFacts): unknown {
  if (name.startsWith("after:")) return readRestOfLine(facts.prompt, name.slice("after:".length).trim());
  const [first = "", ...path] = name.split(".");
  switch (first) {
    case "prompt":
      return facts.prompt;
    case "model":
      return facts.model;
    case "return_file":
      return facts.returnFile;
    case "handover_file":
      return facts.handoverFile;
    case "session_id":
      return facts.identity?.["session_id"];
    case "identity":
      return readFieldAt(facts.identity, ...path);
    case "result":
      return readResultValue(facts.results.at(-1), path);
    case "results":
      return readResultValue(facts.results[Number(path[0])], path.slice(1));
    default:
      return undefined;
  }
}

const LIMITS = { carrying: [], meant: [], maxDepth: 64, maxValues: 100_000 } as const;

/** CLIs add words to a tool's result; a path is looked up in its last JSON object. */
function readResultValue(result: string | undefined, path: readonly string[]): unknown {
  if (result === undefined || path.length === 0) return result;
  const bytes = Buffer.from(result);
  const found = findLastObject(bytes, LIMITS);
  if (found.kind !== "found") return undefined;
  return readFieldAt(parseJson(bytes.toString("utf8", found.object.start, found.object.end)), ...path);
}

function readRestOfLine(text: string, label: string): string | undefined {
  const start = label === "" ? -1 : text.indexOf(label);
  return start < 0 ? undefined : (text.slice(start + label.length).split("\n", 1)[0] ?? "").trim();
}

function printAsText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
