import { closesFence, type Fence, readFence } from "../../base/markdown-fences.ts";
import { afterLine, isHeading, readLine, type MarkdownLine, nextListIndent } from "./markdown-line.ts";

const BACKSLASH = 92;
const BACKTICK = 96;
const MAX_INDENT = 3;
const NONE = -1;

/** An open fence, with the place a line must have to close it. */
interface OpenFence extends Fence {
  readonly maxIndent: number;
  readonly isQuoted: boolean;
}

interface BacktickRun {
  readonly start: number;
  readonly length: number;
  /** Shorter than `length` when a backslash escapes the first backtick. */
  readonly openingLength: number;
}

/**
 * Marks with 1 every character inside a Markdown code span or fence, in one pass. A span never crosses a blank line,
 * a heading, a list item or a fence. An unclosed fence runs to the end: in an agent's message, text that may be
 * quoted must not be obeyed.
 */
export function maskMarkdownCode(text: string): Uint8Array {
  const mask = new Uint8Array(text.length);
  const runs: BacktickRun[] = [];
  let fence: OpenFence | undefined;
  let listIndent = 0;
  let isAfterAlone = false;
  for (let line = readLine(text, 0); line.start < text.length; line = readLine(text, afterLine(text, line))) {
    if (fence !== undefined && (line.isQuoted || !fence.isQuoted)) {
      mask.fill(1, line.start, line.end);
      if (endsFence(text, line, fence)) fence = undefined;
      continue;
    }
    fence = openFence(text, line, listIndent);
    listIndent = nextListIndent(line, listIndent);
    const isAlone = fence !== undefined || isHeading(text, line);
    if (isAlone || line.isItem || line.content === line.end || isAfterAlone) {
      maskSpans(mask, runs);
      runs.length = 0;
    }
    isAfterAlone = isAlone;
    if (fence === undefined) collectRuns(text, line, runs);
    else mask.fill(1, line.start, line.end);
  }
  maskSpans(mask, runs);
  return mask;
}

function endsFence(text: string, line: MarkdownLine, fence: OpenFence): boolean {
  if (line.isItem || line.isQuoted !== fence.isQuoted || line.indent > fence.maxIndent) return false;
  return closesFence(text, { start: line.content, end: line.end }, fence);
}

function openFence(text: string, line: MarkdownLine, listIndent: number): OpenFence | undefined {
  const fence = readFence(text, { start: line.content, end: line.end });
  // One space belongs to the mark of a list item or quote itself.
  const isTooDeep =
    line.isItem || line.isQuoted ? line.gap > MAX_INDENT + 1 : line.indent > listIndent + MAX_INDENT;
  if (fence === undefined || isTooDeep) return undefined;
  const maxIndent = (line.isItem ? line.indent : listIndent) + MAX_INDENT + (line.isQuoted ? 1 : 0);
  return { ...fence, maxIndent, isQuoted: line.isQuoted };
}

function collectRuns(text: string, line: MarkdownLine, runs: BacktickRun[]): void {
  let backslashes = 0;
  for (let index = line.content; index < line.end; index += 1) {
    const code = text.charCodeAt(index);
    if (code === BACKTICK) {
      const length = runLength(text, index, BACKTICK);
      runs.push({ start: index, length, openingLength: backslashes % 2 === 1 ? length - 1 : length });
      index += length - 1;
    }
    backslashes = code === BACKSLASH ? backslashes + 1 : 0;
  }
}

/** Pairs runs from the right, so that the search for a partner never walks the text again. */
function maskSpans(mask: Uint8Array, runs: readonly BacktickRun[]): void {
  if (runs.length < 2) return;
  const latest = new Map<number, number>();
  const partners = new Int32Array(runs.length).fill(NONE);
  for (let index = runs.length - 1; index >= 0; index -= 1) {
    const run = runs[index];
    if (run === undefined) continue;
    partners[index] = latest.get(run.openingLength) ?? NONE;
    latest.set(run.length, index);
  }
  for (let index = 0; index < runs.length; index += 1) {
    const partner = partners[index] ?? NONE;
    const [opening, closing] = [runs[index], runs[partner]];
    if (opening === undefined || closing === undefined) continue;
    const start = opening.start + opening.length - opening.openingLength;
    mask.fill(1, start, closing.start + closing.length);
    index = partner;
  }
}

function runLength(text: string, start: number, mark: number): number {
  let end = start;
  while (text.charCodeAt(end) === mark) end += 1;
  return end - start;
}
