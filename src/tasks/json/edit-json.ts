import { applyEdits, type Span, type TextEdit } from "../markdown/lines.ts";
import { isRecord } from "../model/fields.ts";
import { readArray, readObject, type JsonObject } from "./json-spans.ts";

/** How a file is laid out, so that what is added looks like what was there. */
interface JsonLayout {
  /** Empty for a file on one line. */
  readonly unit: string;
  readonly lineEnd: string;
}

function layoutOf(text: string): JsonLayout {
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const brace = text.indexOf("{");
  const quote = text.indexOf('"', brace);
  const between = quote === -1 ? "" : text.slice(brace + 1, quote);
  const line = between.lastIndexOf("\n");
  if (line === -1) return { unit: text.includes("\n", brace) || quote === -1 ? "  " : "", lineEnd };
  return { unit: between.slice(line + 1), lineEnd };
}

/** A value as text at a depth of the file. */
function renderJson(value: unknown, layout: JsonLayout, indent: string): string {
  if (layout.unit === "") return JSON.stringify(value);
  return JSON.stringify(value, null, layout.unit)
    .split("\n")
    .join(layout.lineEnd + indent);
}

/** Sets members of one object, in place where they are there and at its end where not; undefined removes one. */
export function editMembers(
  text: string,
  object: JsonObject,
  changes: ReadonlyMap<string, unknown>,
): readonly TextEdit[] {
  const layout = layoutOf(text);
  const indent = memberIndent(text, object, layout);
  const isRemoval = [...changes].some(([key, value]) => value === undefined && object.members.has(key));
  if (isRemoval) return [rewritten(text, object, changes)];
  const edits: TextEdit[] = [];
  const added: string[] = [];
  for (const [key, value] of changes) {
    const member = object.members.get(key);
    if (value === undefined) continue;
    if (member === undefined) {
      added.push(
        `${JSON.stringify(key)}:${layout.unit === "" ? "" : " "}${renderJson(value, layout, indent ?? "")}`,
      );
    } else {
      edits.push({ ...member.value, text: renderJson(value, layout, indent ?? "") });
    }
  }
  if (added.length > 0) edits.push(addition({ text, object, layout, indent }, added));
  return edits;
}

export interface ListChange {
  readonly removed: ReadonlySet<number>;
  readonly added: readonly unknown[];
  readonly place: "first" | "last";
}

/** Takes elements out of a list and puts new ones in; what stays keeps its bytes. `edits` are inside the elements. */
export function editList(
  text: string,
  span: Span,
  { removed, added, place, edits }: ListChange & { readonly edits: readonly TextEdit[] },
): TextEdit {
  const layout = layoutOf(text);
  const list = readArray(text, span.start);
  const frame = frameOf(text, span, layout);
  const kept = list.elements
    .map((element, index) => ({ index, ...element }))
    .filter(({ index }) => !removed.has(index));
  const fresh = added.map((value) => renderJson(value, layout, frame.indent));
  let body = place === "first" ? fresh.join(frame.separator) : "";
  let previous = -1;
  for (const { index, start, end } of kept) {
    const isNeighbour = previous !== -1 && index === previous + 1;
    const before = list.elements[index - 1];
    const separator = isNeighbour && before !== undefined ? text.slice(before.end, start) : frame.separator;
    body += (body === "" ? "" : separator) + applyInside(text, { start, end }, edits);
    previous = index;
  }
  if (place === "last") body = [...(body === "" ? [] : [body]), ...fresh].join(frame.separator);
  return {
    start: span.start,
    end: span.end,
    text: body === "" ? "[]" : `[${frame.lead}${body}${frame.tail}]`,
  };
}

/** The root object of a file. */
export function rootOf(text: string): JsonObject {
  return readObject(text, 0);
}

function applyInside(text: string, { start, end }: Span, edits: readonly TextEdit[]): string {
  const own = edits.filter((edit) => edit.start >= start && edit.end <= end);
  return applyEdits(
    text.slice(start, end),
    own.map((edit) => ({ text: edit.text, start: edit.start - start, end: edit.end - start })),
  );
}

interface Frame {
  readonly lead: string;
  readonly separator: string;
  readonly tail: string;
  readonly indent: string;
}

/** What stands before, between and after the elements of a list. */
function frameOf(text: string, span: Span, layout: JsonLayout): Frame {
  const { elements } = readArray(text, span.start);
  const [first, second] = elements;
  const last = elements.at(-1);
  if (first === undefined || last === undefined) return emptyFrame(text, span, layout);
  const lead = text.slice(span.start + 1, first.start);
  const separator =
    second === undefined
      ? `,${lead === "" && layout.unit !== "" ? " " : lead}`
      : text.slice(first.end, second.start);
  return {
    lead,
    separator,
    tail: text.slice(last.end, span.end - 1),
    indent: lead.slice(lead.lastIndexOf("\n") + 1),
  };
}

function emptyFrame(text: string, span: Span, layout: JsonLayout): Frame {
  if (layout.unit === "") return { lead: "", separator: ",", tail: "", indent: "" };
  const outer = indentOfLine(text, span.start);
  const indent = outer + layout.unit;
  const lead = layout.lineEnd + indent;
  return { lead, separator: `,${lead}`, tail: layout.lineEnd + outer, indent };
}

function indentOfLine(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  let end = start;
  while (text.charAt(end) === " " || text.charAt(end) === "\t") end += 1;
  return text.slice(start, end);
}

/** The white space before the members of an object on lines of their own; undefined when it is on one line. */
function memberIndent(text: string, object: JsonObject, layout: JsonLayout): string | undefined {
  const [first] = object.members.values();
  if (first === undefined)
    return layout.unit === "" ? undefined : indentOfLine(text, object.start) + layout.unit;
  const between = text.slice(object.start + 1, first.keyStart);
  const line = between.lastIndexOf("\n");
  return line === -1 ? undefined : between.slice(line + 1);
}

interface AdditionFacts {
  readonly text: string;
  readonly object: JsonObject;
  readonly layout: JsonLayout;
  readonly indent: string | undefined;
}

function addition({ text, object, layout, indent }: AdditionFacts, added: readonly string[]): TextEdit {
  const lead = indent === undefined ? "" : layout.lineEnd + indent;
  const separator = `,${lead === "" && layout.unit !== "" ? " " : lead}`;
  const last = [...object.members.values()]
    .toSorted((left, right) => left.value.end - right.value.end)
    .at(-1);
  if (last !== undefined) {
    return { start: last.value.end, end: last.value.end, text: separator + added.join(separator) };
  }
  const tail = indent === undefined ? "" : layout.lineEnd + indentOfLine(text, object.start);
  return { start: object.start + 1, end: object.end - 1, text: lead + added.join(separator) + tail };
}

/** The whole object anew: taking members out is rare, and not worth a second way to place commas. */
function rewritten(text: string, object: JsonObject, changes: ReadonlyMap<string, unknown>): TextEdit {
  const value: unknown = JSON.parse(text.slice(object.start, object.end));
  const members = new Map(Object.entries(isRecord(value) ? value : {}));
  for (const [key, change] of changes) {
    if (change === undefined) members.delete(key);
    else members.set(key, change);
  }
  const indent = indentOfLine(text, object.start);
  return {
    start: object.start,
    end: object.end,
    text: renderJson(Object.fromEntries(members), layoutOf(text), indent),
  };
}
