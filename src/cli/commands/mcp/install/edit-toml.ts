import type { Edited } from "./edit-json.ts";
import { readToml, type TomlStatement } from "./toml.ts";

/** Keys and their values as TOML writes them. */
export type TomlTable = Readonly<Record<string, string>>;

/** Sets one table of a TOML text and leaves every other byte as it is, tables below it included. */
export function setTomlTable(text: string, path: readonly string[], table: TomlTable): Edited {
  const statements = readToml(text);
  if ("why" in statements) return { kind: "broken", ...statements };
  const head = statements.find((one) => one.kind === "table" && isSame(one.path, path));
  const elsewhere = statements.find((one) => isWrittenOtherwise(one, path, head));
  if (elsewhere !== undefined)
    return { kind: "broken", at: elsewhere.start, why: `${path.join(".")} is written in another way here` };
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const block = [`[${path.join(".")}]`, ...Object.entries(table).map(([key, value]) => `${key} = ${value}`)];
  if (head === undefined) return edited(append(text, block.join(eol), eol));
  const pairs = pairsOf(statements, head);
  if (holds(pairs, path, table)) return edited(text);
  const end = pairs.at(-1)?.end ?? head.end;
  return edited(text.slice(0, head.start) + block.join(eol) + text.slice(end));
}

/** Takes one table out, and those below it. */
export function removeTomlTable(text: string, path: readonly string[]): Edited {
  const statements = readToml(text);
  if ("why" in statements) return { kind: "broken", ...statements };
  const heads = statements.filter((one) => one.kind !== "pair" && isWithin(one.path, path));
  let rest = text;
  // From the end, so that the places before it stay right.
  for (const head of heads.toReversed()) {
    const end = pairsOf(statements, head).at(-1)?.end ?? head.end;
    rest = cutLines(rest, head.start, end);
  }
  return edited(rest);
}

function pairsOf(statements: readonly TomlStatement[], head: TomlStatement): readonly TomlStatement[] {
  const after = statements.slice(statements.indexOf(head) + 1);
  const next = after.findIndex(({ kind }) => kind !== "pair");
  return next === -1 ? after : after.slice(0, next);
}

/** By dotted keys, inside an inline table or as a list: what we would add there could contradict it. */
function isWrittenOtherwise(
  one: TomlStatement,
  path: readonly string[],
  head: TomlStatement | undefined,
): boolean {
  const isAbove = isWithin(path, one.path);
  if (one.kind === "list-table") return isAbove || isWithin(one.path, path);
  if (one.kind === "table") return head === undefined && isWithin(one.path, path);
  return isAbove || (head === undefined && isWithin(one.path, path));
}

function holds(pairs: readonly TomlStatement[], path: readonly string[], table: TomlTable): boolean {
  const found = pairs.map((pair) => [pair.path.slice(path.length).join("."), pair.value]);
  return JSON.stringify(found) === JSON.stringify(Object.entries(table));
}

function append(text: string, block: string, eol: string): string {
  if (text === "") return block + eol;
  const line = text.endsWith("\n") ? "" : eol;
  return `${text}${line}${eol}${block}${eol}`;
}

function cutLines(text: string, start: number, end: number): string {
  const lineEnd = text.indexOf("\n", end);
  const after = lineEnd === -1 ? "" : text.slice(lineEnd + 1);
  const before = text.slice(0, text.lastIndexOf("\n", start - 1) + 1);
  // The empty line that set it apart goes with it.
  const empty = ["\n\r\n", "\n\n"].find((end) => before.endsWith(end));
  const isApart = empty !== undefined && (after === "" || "\r\n".includes(after.charAt(0)));
  return (isApart ? before.slice(0, 1 - empty.length) : before) + after;
}

/** Whether a path is another one or lies below it. */
function isWithin(path: readonly string[], above: readonly string[]): boolean {
  return path.length >= above.length && isSame(path.slice(0, above.length), above);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((part, index) => part === other[index]);
}

function edited(text: string): Edited {
  return { kind: "edited", text };
}
