import { isDeepStrictEqual } from "node:util";
import {
  createScanner,
  getNodeValue,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from "jsonc-parser";
import { withoutByteOrderMark, type Broken, type Edited } from "./edited.ts";

type Path = readonly [string, ...string[]];

/** Sets one value of a JSON or JSONC text and leaves every other byte as it is. */
export function setJsonEntry(text: string, path: Path, value: unknown): Edited {
  if (isEmpty(text)) return edited(`${JSON.stringify(nestValue(path, value), null, 2)}\n`);
  const found = findPath(text, path);
  if (found.kind === "broken") return found;
  const { root } = found;
  if (found.kind === "missing") {
    const { object, key, below } = found;
    return edited(insertMember(text, { root, object, key, value: nestValue(below, value) }));
  }
  const { member } = found;
  if (isDeepStrictEqual(readPlainValue(member.value), value)) return edited(text);
  const printed = printValue(value, { ...readStyle(text, root), indent: indentOfLine(text, member.start) });
  const { offset, length } = member.value;
  return edited(text.slice(0, offset) + printed + text.slice(offset + length));
}

/** Removes one member with its comma, and with its lines if nothing else is on them. */
export function removeJsonEntry(text: string, path: Path): Edited {
  if (isEmpty(text)) return edited(text);
  const found = findPath(text, path);
  if (found.kind === "broken") return found;
  return edited(found.kind === "missing" ? text : cutMember(text, found.object, found.member));
}

/** Whether there is an object at a path. */
export function hasJsonObject(text: string, path: Path): boolean {
  const found = findPath(text, path);
  return found.kind === "found" && found.member.value.type === "object";
}

/** The parser's objects have no prototype, which a strict comparison would notice. */
function readPlainValue(node: Node): unknown {
  return JSON.parse(JSON.stringify(getNodeValue(node)));
}

interface Member {
  readonly key: string;
  readonly start: number;
  readonly value: Node;
  readonly commaAt: number | undefined;
}

interface Found {
  readonly kind: "found";
  readonly root: Node;
  readonly object: Node;
  readonly member: Member;
}

interface Missing {
  readonly kind: "missing";
  readonly root: Node;
  /** The deepest object on the path. It lacks the key. */
  readonly object: Node;
  readonly key: string;
  /** The part of the path after the key. */
  readonly below: readonly string[];
}

function findPath(text: string, path: Path): Found | Missing | Broken {
  const root = readTree(text);
  return "kind" in root ? root : findBelow(text, { root, object: root, name: "the file" }, path);
}

interface Place {
  readonly root: Node;
  readonly object: Node;
  readonly name: string;
}

function findBelow(
  text: string,
  { root, object, name }: Place,
  [key, ...below]: Path,
): Found | Missing | Broken {
  if (object.type !== "object") return { kind: "broken", at: object.offset, why: `${name} is not an object` };
  const [member, second] = listMembers(text, object).filter((one) => one.key === key);
  if (second !== undefined) return { kind: "broken", at: second.start, why: `"${key}" is there twice` };
  if (member === undefined) return { kind: "missing", root, object, key, below };
  const [next, ...rest] = below;
  if (next === undefined) return { kind: "found", root, object, member };
  return findBelow(text, { root, object: member.value, name: `"${key}"` }, [next, ...rest]);
}

const MAX_DEPTH = 200;

function readTree(text: string): Node | Broken {
  // The mark is one character; a space in its place keeps all offsets right.
  const plain = text.length === withoutByteOrderMark(text).length ? text : ` ${text.slice(1)}`;
  const tooDeep = findTooDeep(plain);
  if (tooDeep !== undefined) return { kind: "broken", at: tooDeep, why: "it is nested too deeply" };
  const errors: ParseError[] = [];
  const root = parseTree(plain, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined)
    return { kind: "broken", at: first.offset, why: describeError(printParseErrorCode(first.error)) };
  return root ?? { kind: "broken", at: 0, why: "it has no value" };
}

/** The parser is recursive, so a hostile file could exhaust the stack. */
function findTooDeep(text: string): number | undefined {
  const scanner = createScanner(text);
  let depth = 0;
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    const mark = text.charAt(scanner.getTokenOffset());
    if (mark === "{" || mark === "[") depth += 1;
    if (mark === "}" || mark === "]") depth -= 1;
    if (depth > MAX_DEPTH) return scanner.getTokenOffset();
  }
  return undefined;
}

/** `CommaExpected` is "comma expected". */
function describeError(code: string): string {
  return code.replaceAll(/\B[A-Z]/g, " $&").toLowerCase();
}

function listMembers(text: string, object: Node): readonly Member[] {
  return (object.children ?? []).flatMap(({ offset, children: [key, value] = [] }) =>
    key === undefined || value === undefined
      ? []
      : [{ key: String(key.value), start: offset, value, commaAt: findComma(text, value) }],
  );
}

function findComma(text: string, { offset, length }: Node): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset + length);
  scanner.scan();
  return text.charAt(scanner.getTokenOffset()) === "," ? scanner.getTokenOffset() : undefined;
}

interface Insertion {
  readonly root: Node;
  readonly object: Node;
  readonly key: string;
  readonly value: unknown;
}

function insertMember(text: string, { root, object, key, value }: Insertion): string {
  const style = readStyle(text, root);
  const members = listMembers(text, object);
  const last = members.at(-1);
  const own = indentOfLine(text, object.offset);
  if (last === undefined) {
    const child = own + style.unit;
    const member = `${JSON.stringify(key)}: ${printValue(value, { ...style, indent: child })}`;
    const rest = text.slice(object.offset + object.length - 1);
    return `${text.slice(0, findContentEnd(text, object))}${style.eol}${child}${member}${style.eol}${own}${rest}`;
  }
  const [first = last] = members;
  const isOneLine = !text.slice(object.offset, object.offset + object.length).includes("\n");
  const child = isOneLine ? own : (indentBefore(text, first.start) ?? own + style.unit);
  const printed = isOneLine ? JSON.stringify(value) : printValue(value, { ...style, indent: child });
  const { commaAt } = last;
  const lastEnd = last.value.offset + last.value.length;
  const at = isOneLine ? (commaAt === undefined ? lastEnd : commaAt + 1) : findContentEnd(text, object);
  const added = `${isOneLine ? " " : style.eol + child}${JSON.stringify(key)}: ${printed}${commaAt === undefined ? "" : ","}`;
  const longer = text.slice(0, at) + added + text.slice(at);
  return commaAt === undefined ? `${longer.slice(0, lastEnd)},${longer.slice(lastEnd)}` : longer;
}

/** After the last thing before the closing brace, comments included. */
function findContentEnd(text: string, { offset, length }: Node): number {
  return offset + 1 + text.slice(offset + 1, offset + length - 1).trimEnd().length;
}

function cutMember(text: string, object: Node, member: Member): string {
  const members = listMembers(text, object);
  const index = members.findIndex(({ start }) => start === member.start);
  const end = member.commaAt === undefined ? member.value.offset + member.value.length : member.commaAt + 1;
  const indent = indentBefore(text, member.start);
  const start = member.start - (indent ?? "").length;
  const lineEnd = text.indexOf("\n", end);
  const isAlone = indent !== undefined && lineEnd !== -1 && text.slice(end, lineEnd).trim() === "";
  const to = isAlone ? lineEnd + 1 : end;
  // The last member has no comma of its own, so the one before it goes.
  const comma = member.commaAt === undefined ? members[index - 1]?.commaAt : undefined;
  if (comma === undefined) return text.slice(0, isAlone ? start : member.start) + text.slice(to);
  return text.slice(0, comma) + (isAlone ? text.slice(comma + 1, start) : "") + text.slice(to);
}

interface Style {
  readonly unit: string;
  readonly eol: string;
}

function readStyle(text: string, root: Node): Style {
  const [first] = listMembers(text, root);
  const unit = first === undefined ? undefined : indentBefore(text, first.start);
  return { unit: unit || "  ", eol: text.includes("\r\n") ? "\r\n" : "\n" };
}

/** The white space before a place if nothing else precedes it on its line. */
function indentBefore(text: string, at: number): string | undefined {
  const line = text.slice(text.lastIndexOf("\n", at) + 1, at);
  return line.trim() === "" ? line : undefined;
}

/** The white space at the beginning of a place's line; a byte order mark is none. */
function indentOfLine(text: string, at: number): string {
  return text.slice(text.lastIndexOf("\n", at) + 1, at).replace(/[^ \t].*/s, "");
}

function printValue(value: unknown, { unit, eol, indent }: Style & { readonly indent: string }): string {
  return JSON.stringify(value, null, unit).replaceAll("\n", eol + indent);
}

function nestValue(path: readonly string[], value: unknown): unknown {
  return path.reduceRight((inner, key) => ({ [key]: inner }), value);
}

function isEmpty(text: string): boolean {
  return withoutByteOrderMark(text).trim() === "";
}

function edited(text: string): Edited {
  return { kind: "edited", text };
}
