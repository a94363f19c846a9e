import type * as Yaml from "yaml";
import type { ParsedYaml } from "../files/parse-yaml.ts";
import { isRecord } from "../../base/json.ts";

const PLAIN = /^[A-Za-z][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./-]+)*$/;

/** Words YAML, or an older reader of it, would take for something other than text. */
const RESERVED: ReadonlySet<string> = new Set(["true", "false", "null", "yes", "no", "on", "off", "y", "n"]);

/** One change of a text: `text` replaces the part from `start` to `end`. */
interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Change {
  readonly parsed: ParsedYaml;
  readonly path: readonly string[];
  readonly value: unknown;
}

/**
 * The file's text with one setting changed and every other byte unchanged; `undefined` if the file is written in
 * a way this does not handle. The caller reads the outcome back before trusting it.
 */
export function spliceSetting(change: Change): string | undefined {
  const { text, document } = change.parsed;
  const splice = spliceInto(document.contents, change);
  return splice === undefined
    ? undefined
    : text.slice(0, splice.start) + splice.text + text.slice(splice.end);
}

function spliceInto(root: unknown, change: Change): Splice | undefined {
  const { yaml } = change.parsed;
  let node = root;
  for (const [depth, name] of change.path.entries()) {
    const rest = { ...change, path: change.path.slice(depth) };
    if (isEmpty(node, yaml) && depth === 0) return appendLines(rest);
    if (!yaml.isMap(node)) return undefined;
    const pair = node.items.find(({ key }) => yaml.isScalar(key) && key.value === name);
    if (pair === undefined) return insertInto(node, rest, depth === 0);
    if (rest.path.length === 1) return replaceValue(pair, rest);
    if (isEmpty(pair.value, yaml)) return node.flow === true ? undefined : insertBelow(pair, rest);
    node = pair.value;
  }
  return undefined;
}

function replaceValue({ key, value }: Yaml.Pair, { parsed, value: wanted }: Change): Splice | undefined {
  const { yaml, text } = parsed;
  const written = yamlText(wanted);
  const colon = yaml.isNode(key) ? text.indexOf(":", key.range?.[1] ?? 0) + 1 : 0;
  if (colon === 0) return undefined;
  if (isEmpty(value, yaml)) return { start: colon, end: colon, text: ` ${written}` };
  if (!yaml.isNode(value) || !value.range) return undefined;
  const [start, end] = value.range;
  // Blocks end behind their last line break, which belongs to the file, not to the value.
  const lineBreak = text[end - 1] === "\n" ? findLineBreak(text) : "";
  const isBlockList =
    yaml.isCollection(value) && value.flow !== true && text.slice(colon, start).trim() === "";
  return isBlockList
    ? { start: colon, end, text: ` ${written}${lineBreak}` }
    : { start, end, text: written + lineBreak };
}

/** A new key goes behind the last one, so that comments above a key stay with it. */
function insertInto(map: Yaml.YAMLMap, change: Change, isRoot: boolean): Splice | undefined {
  const { parsed, path, value } = change;
  const first = map.items[0]?.key;
  if (!map.range) return undefined;
  if (map.flow === true) {
    const flow = yamlFlow(path, value);
    const last = map.items.at(-1);
    const at = last === undefined ? map.range[0] + 1 : findEnd(last.value ?? last.key, parsed);
    return { start: at, end: at, text: last === undefined ? ` ${flow} ` : `, ${flow}` };
  }
  const indent = parsed.yaml.isNode(first) ? indentAt(parsed.text, first.range?.[0] ?? 0) : undefined;
  if (indent === undefined) return undefined;
  return isRoot && indent === "" ? appendLines(change) : linesAfter(findEnd(map, parsed), change, indent);
}

function insertBelow({ key }: Yaml.Pair, change: Change): Splice | undefined {
  const { parsed, path } = change;
  const range = parsed.yaml.isNode(key) ? key.range : undefined;
  const indent = range ? indentAt(parsed.text, range[0]) : undefined;
  if (!range || indent === undefined) return undefined;
  return linesAfter(range[1], { ...change, path: path.slice(1) }, `${indent}  `);
}

function appendLines({ parsed, path, value }: Change): Splice {
  const { text } = parsed;
  const lineBreak = findLineBreak(text);
  const before = text === "" || text.endsWith("\n") ? "" : lineBreak;
  const lines = yamlLines(path, value, "").join(lineBreak);
  return { start: text.length, end: text.length, text: before + lines + lineBreak };
}

/** New lines below the one that holds `offset`. */
function linesAfter(offset: number, { parsed, path, value }: Change, indent: string): Splice {
  const { text } = parsed;
  const lineBreak = findLineBreak(text);
  const lines = yamlLines(path, value, indent).join(lineBreak);
  const lineEnd = text[offset - 1] === "\n" ? offset - 1 : text.indexOf("\n", offset);
  if (lineEnd < 0) return { start: text.length, end: text.length, text: lineBreak + lines };
  return { start: lineEnd + 1, end: lineEnd + 1, text: lines + lineBreak };
}

/** Where the last word of a node ends, comments behind it left out. */
function findEnd(node: unknown, parsed: ParsedYaml): number {
  const { yaml } = parsed;
  if (yaml.isCollection(node) && node.flow !== true) {
    const last: unknown = node.items.at(-1);
    const inner: unknown = yaml.isPair(last) ? (last.value ?? last.key) : last;
    if (inner !== undefined) return findEnd(inner, parsed);
  }
  return yaml.isNode(node) ? (node.range?.[1] ?? 0) : 0;
}

function isEmpty(node: unknown, yaml: ParsedYaml["yaml"]): boolean {
  if (node === null || node === undefined) return true;
  return yaml.isScalar(node) && node.value === null && (!node.range || node.range[0] === node.range[1]);
}

/** The spaces before `offset` on its line; `undefined` if there is anything else. */
function indentAt(text: string, offset: number): string | undefined {
  const before = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset).replace("\uFEFF", "");
  return before.trim() === "" ? before : undefined;
}

function findLineBreak(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

/** A value as YAML writes it on one line; it also holds inside braces. */
function yamlText(value: unknown): string {
  if (isRecord(value)) {
    const items = Object.entries(value).map(([name, item]) => `${name}: ${yamlText(item)}`);
    return items.length === 0 ? "{}" : `{ ${items.join(", ")} }`;
  }
  if (Array.isArray(value)) return `[${value.map(yamlText).join(", ")}]`;
  if (typeof value === "string") return isPlain(value) ? value : JSON.stringify(value);
  return String(value);
}

/** Nested keys as lines, each level two spaces deeper. */
function yamlLines(path: readonly string[], value: unknown, indent: string): readonly string[] {
  const [name = "", ...rest] = path;
  if (rest.length === 0) return [`${indent}${name}: ${yamlText(value)}`];
  return [`${indent}${name}:`, ...yamlLines(rest, value, `${indent}  `)];
}

/** Nested keys inside braces. */
function yamlFlow(path: readonly string[], value: unknown): string {
  const [name = "", ...rest] = path;
  return rest.length === 0 ? `${name}: ${yamlText(value)}` : `${name}: { ${yamlFlow(rest, value)} }`;
}

function isPlain(text: string): boolean {
  return PLAIN.test(text) && !RESERVED.has(text.toLowerCase());
}
