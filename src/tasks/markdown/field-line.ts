import { countIndent, type Line, type Span } from "./lines.ts";

/** A field such as `- **Status**: [PLANNED]`, with offsets in the document. */
export interface TodoField {
  /** Lower case, one space between words: "status", "task type". */
  readonly name: string;
  readonly line: number;
  /** Where its line begins, and where the next line begins. */
  readonly start: number;
  readonly next: number;
  /** `- ` or nothing. */
  readonly bullet: string;
  readonly value: Span;
}

const MAX_NAME_LENGTH = 40;

/** Reads a field line: an optional bullet, a name in bold, a colon inside or outside the bold. */
export function parseFieldLine(line: Line, index: number): TodoField | undefined {
  const { text } = line;
  const indent = countIndent(text);
  if (indent > 3) return undefined;
  const bulletEnd = skipListBullet(text, indent);
  if (!text.startsWith("**", bulletEnd)) return undefined;
  const nameStart = bulletEnd + 2;
  const nameEnd = text.indexOf("**", nameStart);
  if (nameEnd === -1 || nameEnd - nameStart > MAX_NAME_LENGTH) return undefined;
  const inner = text.slice(nameStart, nameEnd);
  const hasColonInside = inner.endsWith(":");
  if (!hasColonInside && text.charAt(nameEnd + 2) !== ":") return undefined;
  const name = (hasColonInside ? inner.slice(0, -1) : inner)
    .trim()
    .toLowerCase()
    .split(/[\s_]+/)
    .join(" ");
  if (name === "") return undefined;
  const after = nameEnd + (hasColonInside ? 2 : 3);
  return {
    name,
    line: index + 1,
    start: line.start,
    next: line.next,
    bullet: text.slice(0, bulletEnd),
    value: trimTextSpan(text, { start: after, end: text.length }, line.start),
  };
}

/** The span without white space at its ends, moved by `offset`. */
export function trimTextSpan(text: string, { start, end }: Span, offset: number): Span {
  let first = start;
  let last = end;
  while (first < last && isBlankAt(text, first)) first += 1;
  while (last > first && isBlankAt(text, last - 1)) last -= 1;
  return { start: first + offset, end: last + offset };
}

function skipListBullet(text: string, indent: number): number {
  const mark = text.charAt(indent);
  const isBullet = (mark === "-" || mark === "*" || mark === "+") && text.charAt(indent + 1) === " ";
  if (!isBullet) return indent;
  let end = indent + 2;
  while (text.charAt(end) === " ") end += 1;
  return end;
}

function isBlankAt(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code === 0x20 || code === 0x09;
}
