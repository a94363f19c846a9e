import { isDeepStrictEqual } from "node:util";
import type { BrokenFacts } from "./broken-text.ts";
import { readJsonc, type JsonMember, type JsonNode } from "./jsonc.ts";

/** The text with the entry set or removed; unchanged where it is so already. */
export type Edited =
  | { readonly kind: "edited"; readonly text: string }
  | ({ readonly kind: "broken" } & BrokenFacts);

type Path = readonly [string, ...string[]];

/** Sets one value of a JSON or JSONC text and leaves every other byte as it is. */
export function setJsonEntry(text: string, path: Path, value: unknown): Edited {
  if (withoutMark(text).trim() === "") return edited(`${JSON.stringify(nest(path, value), null, 2)}\n`);
  const root = readJsonc(text);
  if ("why" in root) return { kind: "broken", ...root };
  const found = descend(root, path);
  if (found.kind === "broken") return found;
  if (found.rest.length === 0 && found.member !== undefined) {
    const { node } = found.member;
    if (isDeepStrictEqual(node.value, value)) return edited(text);
    const indent = indentAt(text, found.member.start);
    return edited(splice(text, node, print(value, { ...styleOf(text, root), indent })));
  }
  const [key = "", ...below] = found.rest;
  return edited(insert(text, { root, into: found.node, key, value: nest(below, value) }));
}

/** Takes one member out, with its comma and, where they are all its own, its lines. */
export function removeJsonEntry(text: string, path: Path): Edited {
  if (withoutMark(text).trim() === "") return edited(text);
  const root = readJsonc(text);
  if ("why" in root) return { kind: "broken", ...root };
  const found = descend(root, path);
  if (found.kind === "broken") return found;
  if (found.rest.length > 0 || found.member === undefined) return edited(text);
  return edited(cutMember(text, found.node, found.member));
}

/** Whether an object stands at a path. */
export function hasJsonObject(text: string, path: Path): boolean {
  const root = readJsonc(text);
  if ("why" in root) return false;
  const found = descend(root, path);
  return found.kind === "found" && found.rest.length === 0 && found.member?.node.members !== undefined;
}

type Found =
  | {
      readonly kind: "found";
      /** The deepest object on the way. */
      readonly node: JsonNode;
      /** The last member that is there, where the whole path is. */
      readonly member?: JsonMember;
      /** What is missing of the path. */
      readonly rest: readonly string[];
    }
  | ({ readonly kind: "broken" } & BrokenFacts);

function descend(root: JsonNode, path: readonly string[]): Found {
  let node = root;
  for (const [index, key] of path.entries()) {
    if (node.members === undefined) {
      const name = index === 0 ? "the whole" : `"${path[index - 1] ?? ""}"`;
      return { kind: "broken", at: node.start, why: `${name} is no object` };
    }
    const [member, ...more] = node.members.filter((one) => one.key === key);
    const second = more[0];
    if (second !== undefined) return { kind: "broken", at: second.start, why: `"${key}" is there twice` };
    if (member === undefined) return { kind: "found", node, rest: path.slice(index) };
    if (index === path.length - 1) return { kind: "found", node, member, rest: [] };
    node = member.node;
  }
  return { kind: "found", node, rest: [] };
}

interface Insertion {
  readonly root: JsonNode;
  readonly into: JsonNode;
  readonly key: string;
  readonly value: unknown;
}

function insert(text: string, { root, into, key, value }: Insertion): string {
  const style = styleOf(text, root);
  const members = into.members ?? [];
  const [first, last] = [members[0], members.at(-1)];
  const own = indentAt(text, into.start);
  if (last === undefined || first === undefined) return fill(text, into, { style, own, key, value });
  const isOneLine = !text.slice(into.start, into.end).includes("\n");
  const child = isOneLine ? own : (indentOf(text, first.start) ?? own + style.unit);
  const member = `${JSON.stringify(key)}: ${isOneLine ? JSON.stringify(value) : print(value, { ...style, indent: child })}`;
  const { commaAt } = last;
  const at = isOneLine ? (commaAt === undefined ? last.node.end : commaAt + 1) : contentEnd(text, into);
  const between = isOneLine ? " " : style.eol + child;
  const added = `${between}${member}${commaAt === undefined ? "" : ","}`;
  const rest = text.slice(0, at) + added + text.slice(at);
  return commaAt === undefined ? `${rest.slice(0, last.node.end)},${rest.slice(last.node.end)}` : rest;
}

interface Filling extends Omit<Insertion, "root" | "into"> {
  readonly style: Style;
  readonly own: string;
}

/** An object without members may still have comments in it. */
function fill(text: string, into: JsonNode, { style, own, key, value }: Filling): string {
  const child = own + style.unit;
  const member = `${JSON.stringify(key)}: ${print(value, { ...style, indent: child })}`;
  const at = contentEnd(text, into);
  return `${text.slice(0, at)}${style.eol}${child}${member}${style.eol}${own}${text.slice(into.end - 1)}`;
}

/** After the last thing before the closing brace, a comment included. */
function contentEnd(text: string, { start, end }: JsonNode): number {
  return start + 1 + text.slice(start + 1, end - 1).trimEnd().length;
}

function cutMember(text: string, into: JsonNode, member: JsonMember): string {
  const members = into.members ?? [];
  const before = members[members.indexOf(member) - 1];
  const end = member.commaAt === undefined ? member.node.end : member.commaAt + 1;
  const isLast = members.at(-1) === member;
  const indent = indentOf(text, member.start);
  const start = indent === undefined ? member.start : member.start - indent.length;
  const lineEnd = text.indexOf("\n", end);
  const isAlone = indent !== undefined && lineEnd !== -1 && text.slice(end, lineEnd).trim() === "";
  const to = isAlone ? lineEnd + 1 : end;
  // Without one of its own, the last one takes the comma before it along.
  const comma = isLast && member.commaAt === undefined ? before?.commaAt : undefined;
  if (comma === undefined) return text.slice(0, isAlone ? start : member.start) + text.slice(to);
  const kept = isAlone ? text.slice(comma + 1, start) : "";
  return text.slice(0, comma) + kept + text.slice(to);
}

interface Style {
  readonly unit: string;
  readonly eol: string;
}

function styleOf(text: string, root: JsonNode): Style {
  const [first] = root.members ?? [];
  const unit = first === undefined ? undefined : indentOf(text, first.start);
  return {
    unit: unit === undefined || unit === "" ? "  " : unit,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
}

/** The white space a place's line begins with, if nothing else stands before it. */
function indentOf(text: string, at: number): string | undefined {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  return line.trim() === "" && text.lastIndexOf("\n", at - 1) !== -1 ? line : undefined;
}

/** The white space at the beginning of a place's line, whatever else stands there. */
function indentAt(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  return line.slice(0, line.length - line.trimStart().length);
}

function print(value: unknown, { unit, eol, indent }: Style & { readonly indent: string }): string {
  return JSON.stringify(value, null, unit).replaceAll("\n", eol + indent);
}

function splice(text: string, { start, end }: JsonNode, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

function nest(path: readonly string[], value: unknown): unknown {
  return path.reduceRight((inner, key) => ({ [key]: inner }), value);
}

function withoutMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

function edited(text: string): Edited {
  return { kind: "edited", text };
}
