/** A line of a text with offsets; `end` is before its line end, `next` after it. */
export interface Line {
  readonly start: number;
  readonly end: number;
  readonly next: number;
  readonly text: string;
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Splits a text into lines with offsets; `\r\n` and `\n` both end a line. */
export function splitLines(text: string): readonly Line[] {
  const lines: Line[] = [];
  let start = 0;
  while (start < text.length) {
    const found = text.indexOf("\n", start);
    const next = found === -1 ? text.length : found + 1;
    const bare = found === -1 ? text.length : found;
    const end = bare > start && text.charCodeAt(bare - 1) === 0x0d ? bare - 1 : bare;
    lines.push({ start, end, next, text: text.slice(start, end) });
    start = next;
  }
  return lines;
}

/** The line end of the file, judged by its first line. */
export function readLineEnd(text: string): "\r\n" | "\n" {
  const found = text.indexOf("\n");
  return found > 0 && text.charCodeAt(found - 1) === 0x0d ? "\r\n" : "\n";
}

export function isBlankLine(line: Line): boolean {
  return line.text.trim() === "";
}

/** The number of leading spaces; more than three make a line code in Markdown. */
export function countIndent(text: string): number {
  let indent = 0;
  while (text.charAt(indent) === " ") indent += 1;
  return indent;
}

/** One edit of a text; the edits of a list do not overlap. */
export interface TextEdit extends Span {
  readonly text: string;
}

/** Applies edits; insertions at the same offset keep their order. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const sorted = edits.toSorted((left, right) => left.start - right.start || left.end - right.end);
  const pieces: string[] = [];
  let position = 0;
  for (const edit of sorted) {
    pieces.push(text.slice(position, edit.start), edit.text);
    position = Math.max(position, edit.end);
  }
  pieces.push(text.slice(position));
  return pieces.join("");
}
