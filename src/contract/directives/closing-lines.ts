import { findBracketDirectives } from "./bracket-directive.ts";

const OPENINGS = ["[delegate:", "[use-mcp:"] as const;
const LIST_MARKER = /^(?:[-*+]|\d{1,3}[.)])[ \t]+/;

/**
 * Where the closing lines of a message begin: the last lines that hold nothing but directives, with blank lines between
 * them and perhaps the marker of a list before them. A directive anywhere else is mentioned, not given.
 */
export function findClosingLines(text: string, mask: Uint8Array): number {
  const spans = OPENINGS.flatMap((opening) => findBracketDirectives(text, opening, mask)).toSorted(
    (one, other) => one.start - other.start,
  );
  let begin = text.length;
  for (let end = text.length; end > 0;) {
    const start = text.lastIndexOf("\n", end - 1) + 1;
    const own = takeFrom(spans, start);
    const rest = readBetween(text, { start, end }, own);
    if (rest !== "" || (own.length === 0 && text.slice(start, end).trim() !== "")) break;
    if (own.length > 0) begin = start;
    end = start - 1;
  }
  return begin;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Removes and returns the spans from `start` on, in order. */
function takeFrom(spans: Span[], start: number): readonly Span[] {
  const first = spans.findLastIndex((span) => span.start < start) + 1;
  return spans.splice(first);
}

/** The words of a line that belong to no directive. */
function readBetween(text: string, line: Span, spans: readonly Span[]): string {
  let rest = "";
  let from = line.start;
  for (const { start, end } of spans) {
    rest += text.slice(from, Math.max(from, start));
    from = Math.max(from, end);
  }
  rest += text.slice(from, Math.max(from, line.end));
  return `${rest.trimStart()} `.replace(LIST_MARKER, "").trim();
}
