import { type Fence, readFence } from "../../base/markdown-fences.ts";
import {
  afterLine,
  isBlankFrom,
  isHeading,
  type MarkdownLine,
  readLine,
  nextListIndent,
} from "./markdown-line.ts";

const TAB = 9;
const SPACE = 32;
const CODE_INDENT = 4;
const MAX_PLACE_LENGTH = 500;
const DIFF_STARTS = ["@@ ", "diff --git "] as const;
const DIFF_MARKS = new Set(["+", "-", " ", "\\", "@"]);

/** Masks whole lines that a message copies from elsewhere. */
export function maskQuotedLines(text: string, mask: Uint8Array): void {
  const fences = new NestedFences();
  const quote = { isOpen: false };
  let listIndent = 0;
  let isDiff = false;
  for (let line = readLine(text, 0); line.start < text.length; line = readLine(text, afterLine(text, line))) {
    isDiff = continuesDiff(text, line, isDiff);
    const reasons = [
      fences.takes(text, line),
      takesQuote(text, line, quote),
      isIndented(text, line, listIndent),
      isDiff || isDiffLine(text, line),
      isSearchHit(text, line),
    ];
    if (reasons.includes(true)) mask.fill(1, line.start, line.end);
    listIndent = nextListIndent(line, listIndent);
  }
}

/** A paragraph that begins in a quote continues without a mark, up to a blank line or a block of another kind. */
function takesQuote(text: string, line: MarkdownLine, quote: { isOpen: boolean }): boolean {
  const isBlank = line.content === line.end;
  const goesOn = quote.isOpen && !line.isItem && !isHeading(text, line);
  quote.isOpen = !isBlank && (line.isQuoted || goesOn);
  return line.isQuoted || quote.isOpen;
}

function isIndented(text: string, line: MarkdownLine, listIndent: number): boolean {
  if (line.isItem && line.gap > CODE_INDENT) return true;
  return leadingColumns(text, line) >= listIndent + CODE_INDENT;
}

function leadingColumns(text: string, line: MarkdownLine): number {
  let columns = 0;
  for (let index = line.start; index < line.end; index += 1) {
    const code = text.charCodeAt(index);
    if (code !== SPACE && code !== TAB) break;
    columns += code === TAB ? CODE_INDENT - (columns % CODE_INDENT) : 1;
  }
  return columns;
}

/** A diff begins with a line that only diffs have, and continues while every line could be part of it. */
function continuesDiff(text: string, line: MarkdownLine, isDiff: boolean): boolean {
  if (DIFF_STARTS.some((start) => text.startsWith(start, line.start))) return true;
  if (!isDiff) return false;
  return DIFF_MARKS.has(text.charAt(line.start)) || text.startsWith("index ", line.start);
}

/** `+text` and `-text`; with white space after the mark it is a list item. */
function isDiffLine(text: string, line: MarkdownLine): boolean {
  const first = text.charAt(line.start);
  return (first === "+" || first === "-") && !line.isItem && !isBlankFrom(text, line.start + 1, line.end);
}

/** `notes.md:12:text`, as search tools print it, and `12→text` or `12|text`, as files are shown with line numbers. */
function isSearchHit(text: string, line: MarkdownLine): boolean {
  const start = text.slice(line.start, Math.min(line.end, line.start + MAX_PLACE_LENGTH));
  return /^[^\s:]{1,400}:\d{1,9}:/.test(start) || /^ {0,9}\d{1,9} {0,2}[→|│\t]/.test(start);
}

/**
 * Fences as people nest them: a fence with a language inside another fence opens a second level, which Markdown does not
 * have. Without it a quoted file with fences of its own would close the fence around it.
 */
class NestedFences {
  readonly #open: Fence[] = [];

  /** Whether this line is inside a fence, opens one or closes one. */
  takes(text: string, line: MarkdownLine): boolean {
    const wasOpen = this.#open.length > 0;
    const fence = readFence(text, { start: line.content, end: line.end });
    if (fence === undefined) return wasOpen;
    const isBare = isBlankFrom(text, line.content + fence.length, line.end);
    if (!wasOpen || !isBare) this.#open.push(fence);
    else this.#close(fence);
    return true;
  }

  /** A longer fence closes the shorter ones inside it too. */
  #close({ mark, length }: Fence): void {
    let ended = this.#open.at(-1);
    while (ended !== undefined && ended.mark === mark && ended.length <= length) {
      this.#open.pop();
      if (ended.length === length) return;
      ended = this.#open.at(-1);
    }
  }
}
