import type { Span, TextEdit } from "../markdown/lines.ts";
import { isMemberNamed, type JsonNode, toTextSpan } from "./json-tree.ts";

/** Sets members of an object: existing ones in place, new ones at its end. A value of undefined removes a member. */
export function editMembers(
  text: string,
  object: JsonNode,
  changes: ReadonlyMap<string, unknown>,
): readonly TextEdit[] {
  const layout = readNodeLayout(text, object);
  const properties = object.children ?? [];
  const edits: TextEdit[] = [];
  const added: string[] = [];
  const removed = new Set<number>();
  for (const [key, value] of changes) {
    const named = [...properties.keys()].filter((index) => isMemberNamed(properties[index], key));
    const current = properties[named.at(-1) ?? -1]?.children?.[1];
    if (value === undefined) {
      for (const index of named) removed.add(index);
    } else if (current === undefined) {
      added.push(`${JSON.stringify(key)}:${layout.unit === "" ? "" : " "}${renderJsonValue(value, layout)}`);
    } else {
      edits.push({ ...toTextSpan(current), text: renderJsonValue(value, layout) });
    }
  }
  return [...edits, ...editChildren(object, layout, { removed, added })];
}

export interface ListChange {
  readonly removed: ReadonlySet<number>;
  readonly added: readonly unknown[];
  /** Before the others instead of after them. */
  readonly isAtStart?: boolean;
}

/** Removes elements from a list and adds new ones. The other elements keep their bytes. */
export function editListElements(
  text: string,
  list: JsonNode,
  { removed, added, isAtStart = false }: ListChange,
): readonly TextEdit[] {
  const layout = readNodeLayout(text, list);
  return editChildren(list, layout, {
    removed,
    added: added.map((value) => renderJsonValue(value, layout)),
    isAtStart,
  });
}

interface ChildChange {
  readonly removed: ReadonlySet<number>;
  readonly added: readonly string[];
  readonly isAtStart?: boolean;
}

function editChildren(
  parent: JsonNode,
  layout: JsonLayout,
  { removed, added, isAtStart = false }: ChildChange,
): readonly TextEdit[] {
  const children = (parent.children ?? []).map(toTextSpan);
  const kept = children.filter((_, index) => !removed.has(index));
  const [first] = kept;
  const last = kept.at(-1);
  const { lead, separator, tail } = layout;
  if (first === undefined || last === undefined) {
    if (added.length + removed.size === 0) return [];
    const { start, end } = toTextSpan(parent);
    const inner = added.length === 0 ? "" : lead + added.join(separator) + tail;
    return [{ start: start + 1, end: end - 1, text: inner }];
  }
  const edits = [...removed].flatMap((index) => cutChildNode(children, index, first.start));
  if (added.length === 0) return edits;
  const text = added.join(separator);
  return isAtStart
    ? [...edits, { start: first.start, end: first.start, text: text + separator }]
    : [...edits, { start: last.end, end: last.end, text: separator + text }];
}

/** Cuts a child together with the comma after it if it is before the first kept child, else with the comma before it. */
function cutChildNode(children: readonly Span[], index: number, firstKept: number): readonly TextEdit[] {
  const child = children[index];
  if (child === undefined) return [];
  return child.start < firstKept
    ? [{ start: child.start, end: children[index + 1]?.start ?? child.end, text: "" }]
    : [{ start: children[index - 1]?.end ?? child.start, end: child.end, text: "" }];
}

/** How an object or a list is laid out, so that an added child looks like the others. */
interface JsonLayout {
  /** One level of indentation; empty for a file on one line. */
  readonly unit: string;
  readonly lineEnd: string;
  /** The text before the first child, between two children, and after the last one. */
  readonly lead: string;
  readonly separator: string;
  readonly tail: string;
  /** The indentation of the children. */
  readonly indent: string;
}

function readNodeLayout(text: string, parent: JsonNode): JsonLayout {
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const unit = readIndentUnit(text);
  const { start, end } = toTextSpan(parent);
  const children = (parent.children ?? []).map(toTextSpan);
  const [first, second] = children;
  const last = children.at(-1);
  if (first === undefined || last === undefined) {
    const outer = readLineIndent(text, start);
    const indent = unit === "" ? "" : outer + unit;
    const lead = unit === "" ? "" : lineEnd + indent;
    return { unit, lineEnd, lead, separator: `,${lead}`, tail: unit === "" ? "" : lineEnd + outer, indent };
  }
  const lead = text.slice(start + 1, first.start);
  const alone = `,${lead === "" && unit !== "" ? " " : lead}`;
  return {
    unit,
    lineEnd,
    lead,
    separator: second === undefined ? alone : text.slice(first.end, second.start),
    tail: text.slice(last.end, end - 1),
    indent: lead.includes("\n") ? lead.slice(lead.lastIndexOf("\n") + 1) : "",
  };
}

/** The indentation of the file's first member. */
function readIndentUnit(text: string): string {
  const brace = text.indexOf("{");
  const quote = text.indexOf('"', brace);
  const between = quote === -1 ? "" : text.slice(brace + 1, quote);
  const line = between.lastIndexOf("\n");
  if (line !== -1) return between.slice(line + 1);
  return text.includes("\n", brace) || quote === -1 ? "  " : "";
}

/** The indentation of the line that holds an offset. */
function readLineIndent(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
}

function renderJsonValue(value: unknown, { unit, lineEnd, indent }: JsonLayout): string {
  return JSON.stringify(value, null, unit)
    .split("\n")
    .join(lineEnd + indent);
}
