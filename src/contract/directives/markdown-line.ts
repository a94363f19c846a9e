const TAB = 9;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
const HASH = 35;
const RIGHT_PARENTHESIS = 41;
const ASTERISK = 42;
const PLUS = 43;
const HYPHEN = 45;
const FULL_STOP = 46;
const ZERO = 48;
const NINE = 57;
const GREATER_THAN = 62;

const MAX_ITEM_DIGITS = 9;
const MAX_HEADING_LEVEL = 6;
const TAB_STOP = 4;

/** One line, split into its block prefix (indent, quote and list marks) and its content. */
export interface MarkdownLine {
  readonly start: number;
  /** Before the line break. */
  readonly end: number;
  /** Where the prefix ends. */
  readonly content: number;
  /** Column of the content, counted from the last quote mark. */
  readonly indent: number;
  /** White space since the last mark. */
  readonly gap: number;
  readonly isQuoted: boolean;
  readonly isItem: boolean;
}

/** Reads the line that begins at `start`. */
export function readLine(text: string, start: number): MarkdownLine {
  const end = lineEnd(text, start);
  let position = start;
  let indent = 0;
  let gap = 0;
  let isQuoted = false;
  let isItem = false;
  while (position < end) {
    const code = text.charCodeAt(position);
    const isMark = code !== SPACE && code !== TAB;
    const length = isMark ? markLength(text, position, end) : 1;
    if (length === 0) break;
    const width = code === TAB ? TAB_STOP - (indent % TAB_STOP) : length;
    position += length;
    indent = code === GREATER_THAN ? 0 : indent + width;
    gap = isMark ? 0 : gap + width;
    isQuoted ||= code === GREATER_THAN;
    isItem ||= isMark && code !== GREATER_THAN;
  }
  return { start, end, content: position, indent, gap, isQuoted, isItem };
}

/** Where the line after this one begins. */
export function afterLine(text: string, line: MarkdownLine): number {
  const isPair = text.charCodeAt(line.end) === CARRIAGE_RETURN && text.charCodeAt(line.end + 1) === LINE_FEED;
  return line.end + (isPair ? 2 : 1);
}

/** A line of the form `## …`. */
export function isHeading(text: string, line: MarkdownLine): boolean {
  let level = 0;
  while (text.charCodeAt(line.content + level) === HASH && level <= MAX_HEADING_LEVEL) level += 1;
  return level > 0 && level <= MAX_HEADING_LEVEL && isBreak(text, line.content + level, line.end);
}

/** Whether only white space follows, from `position` to the end of the line. */
export function isBlankFrom(text: string, position: number, end: number): boolean {
  let index = position;
  while (index < end && isBreak(text, index, end)) index += 1;
  return index >= end;
}

export function isLineBreak(code: number): boolean {
  return code === LINE_FEED || code === CARRIAGE_RETURN;
}

export function lineEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && !isLineBreak(text.charCodeAt(end))) end += 1;
  return end;
}

/** `>`, or `-`, `*`, `+`, `1.`, `1)` when white space or the end of the line follows; else 0. */
function markLength(text: string, position: number, end: number): number {
  const code = text.charCodeAt(position);
  if (code === GREATER_THAN) return 1;
  if (code === HYPHEN || code === ASTERISK || code === PLUS) return isBreak(text, position + 1, end) ? 1 : 0;
  let digits = 0;
  while (digits <= MAX_ITEM_DIGITS && isDigit(text.charCodeAt(position + digits))) digits += 1;
  if (digits === 0 || digits > MAX_ITEM_DIGITS) return 0;
  const mark = text.charCodeAt(position + digits);
  if (mark !== FULL_STOP && mark !== RIGHT_PARENTHESIS) return 0;
  return isBreak(text, position + digits + 1, end) ? digits + 1 : 0;
}

function isBreak(text: string, position: number, end: number): boolean {
  const code = text.charCodeAt(position);
  return position >= end || code === SPACE || code === TAB;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

/** Fences may be indented as far as the list item they belong to. */
export function nextListIndent(line: MarkdownLine, listIndent: number): number {
  if (line.isItem) return line.indent;
  return line.content === line.end ? listIndent : Math.min(listIndent, line.indent);
}
