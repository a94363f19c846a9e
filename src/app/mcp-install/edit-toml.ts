import { isDeepStrictEqual } from "node:util";
import { parse, stringify, TomlError } from "smol-toml";
import { isRecord } from "../../base/json.ts";
import { withoutByteOrderMark, type Broken, type Edited } from "./edited.ts";

type Table = Readonly<Record<string, unknown>>;

/** Sets the values of one table and leaves every other byte as it is, tables below it included. */
export function setTomlTable(text: string, path: readonly string[], table: object): Edited {
  const document = readToml(text);
  if (document.kind === "broken") return document;
  const [values, tablesBelow] = splitTable(readPath(document.fields, path));
  if (isDeepStrictEqual(values, table)) return { kind: "edited", text };
  const header = findHeaders(text, path).find(({ isExact }) => isExact);
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const block = `[${path.join(".")}]\n${printValues(table)}`.replaceAll("\n", eol);
  const after =
    header === undefined
      ? `${text}${text === "" ? "" : text.endsWith("\n") ? eol : eol + eol}${block}${eol}`
      : text.slice(0, header.start) + block + text.slice(header.end);
  const fields = setPath(document.fields, path, { ...table, ...tablesBelow });
  // Comparing the meaning proves that the edit changed nothing else.
  return isDeepStrictEqual(readToml(after), { kind: "read", fields })
    ? { kind: "edited", text: after }
    : writtenOtherwise(path);
}

/** Removes one table and those below it. */
export function removeTomlTable(text: string, path: readonly string[]): Edited {
  const document = readToml(text);
  if (document.kind === "broken") return document;
  const current = readPath(document.fields, path);
  if (current === undefined) return { kind: "edited", text };
  // From the end, so that earlier positions stay valid.
  const after = findHeaders(text, path)
    .toReversed()
    .reduce((rest, { start, end }) => cutLines(rest, start, end), text);
  const rest = readToml(after);
  const isRemoved = rest.kind === "read" && readPath(rest.fields, path) === undefined;
  // With the table it means what it meant before: nothing else is gone.
  return isRemoved && isDeepStrictEqual(setPath(rest.fields, path, current), document.fields)
    ? { kind: "edited", text: after }
    : writtenOtherwise(path);
}

/** As an inline table, with dotted keys or as a list: an edit could contradict it or lose a part of it. */
function writtenOtherwise(path: readonly string[]): Broken {
  return { kind: "broken", at: 0, why: `${path.join(".")} is written in a form that cannot be edited here` };
}

type Document = { readonly kind: "read"; readonly fields: Table } | Broken;

function readToml(text: string): Document {
  // The mark is one character; a space in its place keeps all offsets right.
  const plain = text.length === withoutByteOrderMark(text).length ? text : ` ${text.slice(1)}`;
  try {
    // A copy, because the parser's objects have no prototype, which a strict comparison would notice.
    return { kind: "read", fields: structuredClone(parse(plain)) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const above = plain.split("\n").slice(0, error.line - 1);
    const at = above.reduce((sum, line) => sum + line.length + 1, error.column - 1);
    return { kind: "broken", at, why: error.message.split("\n", 1).join("") };
  }
}

function readPath(fields: Table, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), fields);
}

/** The fields with another value at a path. */
function setPath(fields: Table, [key = "", ...below]: readonly string[], value: unknown): Table {
  const inner = fields[key];
  const changed = below.length === 0 ? value : setPath(isRecord(inner) ? inner : {}, below, value);
  return { ...fields, [key]: changed };
}

/** A table's own values, and the tables below it. */
function splitTable(table: unknown): readonly [Table, Table] {
  const entries = Object.entries(isRecord(table) ? table : {});
  return [
    Object.fromEntries(entries.filter(([, value]) => !isRecord(value))),
    Object.fromEntries(entries.filter(([, value]) => isRecord(value))),
  ];
}

function printValues(table: object): string {
  return stringify(table)
    .trimEnd()
    .replaceAll(/\[ (.*) \]$/gm, "[$1]");
}

interface Header {
  readonly start: number;
  /** After the last value of its table; comments and blank lines behind it belong to what follows. */
  readonly end: number;
  /** It is the table's own header and not that of a table below it. */
  readonly isExact: boolean;
}

function findHeaders(text: string, path: readonly string[]): readonly Header[] {
  const keys = path.map((key) => `(?:${key}|"${key}"|'${key}')`).join(String.raw`[ \t]*\.[ \t]*`);
  const header = new RegExp(String.raw`^[ \t]*\[\[?[ \t]*${keys}[ \t]*([.\]])[^\n]*`, "gm");
  return [...text.matchAll(header)].flatMap((match) => {
    if (!isStatement(text, match.index)) return [];
    const isExact = match[1] === "]" && !match[0].trimStart().startsWith("[[");
    return [{ start: match.index, end: findBlockEnd(text, match.index + match[0].length), isExact }];
  });
}

/** A line begins a statement if the text before it is a whole document: not inside a string or a list. */
function isStatement(text: string, at: number): boolean {
  return readToml(text.slice(0, at)).kind === "read";
}

function findBlockEnd(text: string, from: number): number {
  const next = [...text.slice(from).matchAll(/^[ \t]*\[/gm)].find(({ index }) =>
    isStatement(text, from + index),
  );
  const lines = text.slice(from, next === undefined ? undefined : from + next.index).split("\n");
  const last = lines.findLastIndex((line) => !/^\s*(?:#.*)?$/.test(line));
  return (
    from +
    lines
      .slice(0, last + 1)
      .join("\n")
      .trimEnd().length
  );
}

function cutLines(text: string, start: number, end: number): string {
  const lineEnd = text.indexOf("\n", end);
  const after = lineEnd === -1 ? "" : text.slice(lineEnd + 1);
  const before = text.slice(0, start);
  // The blank line that separated it goes with it.
  const blank = ["\n\r\n", "\n\n"].find((ending) => before.endsWith(ending));
  const isApart = blank !== undefined && /^(?:\r?\n|$)/.test(after);
  return (isApart ? before.slice(0, 1 - blank.length) : before) + after;
}
