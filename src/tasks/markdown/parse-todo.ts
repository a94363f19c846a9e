import { taskErrors } from "../../errors/tasks.ts";
import { normalizeId, isDigits } from "../model/task-id.ts";
import { parseFieldLine, type TodoField, trimTextSpan } from "./field-line.ts";
import { findHiddenLines } from "./hidden-lines.ts";
import { countIndent, isBlankLine, type Line, readLineEnd, type Span, splitLines } from "./lines.ts";
import { findTrailingMarker, type WrittenStatus } from "./status-marker.ts";

/** TODO.md with the offsets of everything the store reads and edits; all other text belongs to the user. */
export interface TodoDocument {
  readonly text: string;
  readonly lineEnd: "\r\n" | "\n";
  readonly entries: ReadonlyMap<string, TodoEntry>;
  /** The number after `next_project_number:` in the frontmatter. */
  readonly nextNumber: Span | undefined;
  /** Where the line after `## Tasks` begins. */
  readonly tasksSection: number | undefined;
}

export interface TodoEntry {
  readonly id: string;
  /** The line of its heading, from 1. */
  readonly line: number;
  /** From its heading to the text after it, including its own `---` line. */
  readonly start: number;
  readonly end: number;
  /** Where the line after its heading begins. */
  readonly headingNext: number;
  readonly idSpan: Span;
  readonly title: Span;
  readonly headingMarker: Span | undefined;
  readonly fields: readonly TodoField[];
  readonly description: Description | undefined;
  readonly hasBreak: boolean;
}

export interface Description extends Span {
  readonly line: number;
}

export function parseTodo(text: string, path: string): TodoDocument {
  const lines = splitLines(text);
  const hidden = findHiddenLines(lines);
  const headings = findHeadings(lines, hidden);
  const section = headings.find(({ level, title }) => level === 2 && title.toLowerCase() === "tasks");
  const scan: Scan = { text, lines, hidden, headings, section };
  const entries = new Map<string, TodoEntry>();
  for (const index of headings.keys()) {
    const entry = readEntry(scan, index);
    if (entry === undefined) continue;
    const other = entries.get(entry.id);
    if (other !== undefined) throw taskErrors.duplicateId(path, other.id, [other.line, entry.line]);
    entries.set(entry.id, entry);
  }
  return {
    text,
    lineEnd: readLineEnd(text),
    entries,
    nextNumber: findNextNumber(lines, hidden),
    tasksSection: section === undefined ? undefined : lines[section.line]?.next,
  };
}

interface Heading {
  readonly level: number;
  /** Index of its line. */
  readonly line: number;
  readonly title: string;
  /** Where the title begins in the line. */
  readonly at: number;
  /** The first or second level heading above it. */
  readonly above: Heading | undefined;
}

interface Scan {
  readonly text: string;
  readonly lines: readonly Line[];
  readonly hidden: Uint8Array;
  readonly headings: readonly Heading[];
  readonly section: Heading | undefined;
}

/** Finds headings of levels one to three, which begin or end an entry. */
function findHeadings(lines: readonly Line[], hidden: Uint8Array): readonly Heading[] {
  const headings: Heading[] = [];
  let above: Heading | undefined;
  for (const [index, { text }] of lines.entries()) {
    if (hidden[index] === 1) continue;
    const indent = countIndent(text);
    if (indent > 3 || text.charAt(indent) !== "#") continue;
    let at = indent;
    while (text.charAt(at) === "#") at += 1;
    const level = at - indent;
    if (level > 3 || (at < text.length && text.charAt(at) !== " " && text.charAt(at) !== "\t")) continue;
    const heading = { level, line: index, title: text.slice(at).trim(), at: at + 1, above };
    headings.push(heading);
    if (level < 3) above = heading;
  }
  return headings;
}

function readEntry(scan: Scan, index: number): TodoEntry | undefined {
  const heading = scan.headings[index];
  const line = heading === undefined ? undefined : scan.lines[heading.line];
  if (heading === undefined || line === undefined || heading.level !== 3) return undefined;
  const name = readEntryName(line, heading);
  if (name === undefined) return undefined;
  const body = readEntryBody(scan, heading.line, scan.headings[index + 1]?.line ?? scan.lines.length);
  const hasStatus = body.fields.some((field) => field.name === "status");
  const marker = hasStatus
    ? undefined
    : findTrailingMarker(line.text.slice(name.title.start, name.title.end));
  const facts = { hasStatus, hasFields: hasStatus || marker !== undefined || body.fields.length > 0 };
  if (!isTaskHeading(scan, heading, { ...facts, isNumber: isDigits(name.id) })) return undefined;
  return {
    id: name.id,
    line: heading.line + 1,
    start: line.start,
    headingNext: line.next,
    idSpan: shiftSpanBy(name.idSpan, line.start),
    ...splitTitleMarker(line, name.title, marker),
    ...body,
  };
}

/** `### 244. Title`: an id without spaces, a full stop, a space. */
function readEntryName(
  line: Line,
  heading: Heading,
): { readonly id: string; readonly idSpan: Span; readonly title: Span } | undefined {
  const start = trimTextSpan(line.text, { start: heading.at, end: line.text.length }, 0).start;
  const [token = ""] = line.text.slice(start).split(/\s/, 1);
  if (!token.endsWith(".") || !/\d/.test(token)) return undefined;
  const id = normalizeId(token.slice(0, -1));
  if (id === undefined) return undefined;
  const idSpan = { start, end: start + token.length - 1 };
  return { id, idSpan, title: trimTextSpan(line.text, { start: idSpan.end + 1, end: line.text.length }, 0) };
}

/** Prose has numbered headings too, so a task needs a status or a place in the tasks section. */
function isTaskHeading(
  { section }: Scan,
  heading: Heading,
  facts: { readonly hasStatus: boolean; readonly hasFields: boolean; readonly isNumber: boolean },
): boolean {
  if (facts.hasStatus) return true;
  if (!facts.isNumber) return false;
  if (section === undefined) return facts.hasFields;
  return heading.above === section;
}

function splitTitleMarker(
  line: Line,
  title: Span,
  marker: WrittenStatus | undefined,
): Pick<TodoEntry, "title" | "headingMarker"> {
  if (marker === undefined) return { title: shiftSpanBy(title, line.start), headingMarker: undefined };
  const bare = trimTextSpan(line.text, { start: title.start, end: title.start + marker.start }, line.start);
  return { title: bare, headingMarker: shiftSpanBy(marker, line.start + title.start) };
}

function shiftSpanBy({ start, end }: Span, offset: number): Span {
  return { start: start + offset, end: end + offset };
}

type Body = Pick<TodoEntry, "end" | "fields" | "description" | "hasBreak">;

/** Reads the lines below a heading, up to the next heading or to a `---` line after a blank line. */
function readEntryBody({ text, lines, hidden }: Scan, headingLine: number, limit: number): Body {
  const fields: TodoField[] = [];
  let description: Description | undefined;
  for (let index = headingLine + 1; index < limit; index += 1) {
    const line = lines[index];
    if (line === undefined || hidden[index] === 1) continue;
    if (isBreakLine(lines, index))
      return { end: skipBlankLines(lines, index + 1, limit), fields, description, hasBreak: true };
    const field = parseFieldLine(line, index);
    if (field === undefined) continue;
    fields.push(field);
    if (field.name === "description" && description === undefined) {
      description = { ...readParagraph({ lines, hidden, limit }, index, field), line: index + 1 };
    }
  }
  return { end: lines[limit]?.start ?? text.length, fields, description, hasBreak: false };
}

function isBreakLine(lines: readonly Line[], index: number): boolean {
  const text = lines[index]?.text.trim() ?? "";
  const above = lines[index - 1];
  return text.length >= 3 && /^-+$/.test(text) && above !== undefined && isBlankLine(above);
}

function skipBlankLines(lines: readonly Line[], from: number, limit: number): number {
  let index = from;
  while (index < limit && lines[index] !== undefined && lines[index]?.text.trim() === "") index += 1;
  return lines[index]?.start ?? lines[index - 1]?.next ?? 0;
}

/** The text from `**Description**:` to the end of its paragraph. */
function readParagraph(
  scan: { readonly lines: readonly Line[]; readonly hidden: Uint8Array; readonly limit: number },
  from: number,
  field: TodoField,
): Span {
  let end = field.value.end;
  for (let index = from + 1; index < scan.limit; index += 1) {
    const line = scan.lines[index];
    if (line === undefined || scan.hidden[index] === 1 || isBlankLine(line)) break;
    if (parseFieldLine(line, index) !== undefined) break;
    end = trimTextSpan(line.text, { start: 0, end: line.text.length }, line.start).end;
  }
  return { start: field.value.start, end };
}

const NEXT_NUMBER = "next_project_number:";

function findNextNumber(lines: readonly Line[], hidden: Uint8Array): Span | undefined {
  if (lines[0]?.text.trimEnd() !== "---" || hidden[0] !== 1) return undefined;
  for (let index = 1; hidden[index] === 1; index += 1) {
    const line = lines[index];
    if (line === undefined || line.text.trimEnd() === "---") return undefined;
    if (!line.text.startsWith(NEXT_NUMBER)) continue;
    const span = trimTextSpan(line.text, { start: NEXT_NUMBER.length, end: line.text.length }, line.start);
    return isDigits(line.text.slice(span.start - line.start, span.end - line.start)) ? span : undefined;
  }
  return undefined;
}
