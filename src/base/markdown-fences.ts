const BACKTICK = 96;
const TILDE = 126;
const MIN_FENCE_LENGTH = 3;
/** Columns; a line that is indented further is code already and opens no fence. */
const MAX_FENCE_INDENT = 3;
const TAB_STOP = 4;

/** Three or more backticks or tildes that open or close a block of code. */
export interface Fence {
  /** The character code of the mark. */
  readonly mark: number;
  readonly length: number;
}

export interface TextRange {
  readonly start: number;
  /** The end of the line, before its line break. */
  readonly end: number;
}

/** The fence that begins at `start`, whatever follows it. A backtick later on the line makes it a code span instead. */
export function readFence(text: string, { start, end }: TextRange): Fence | undefined {
  const mark = text.charCodeAt(start);
  if (start >= end || (mark !== BACKTICK && mark !== TILDE)) return undefined;
  const length = countMarks(text, start, mark);
  if (length < MIN_FENCE_LENGTH) return undefined;
  const isSpan = mark === BACKTICK && text.slice(start + length, end).includes("`");
  return isSpan ? undefined : { mark, length };
}

/** Whether the text from `start` closes a fence: at least as many of its marks, and nothing but blanks after them. */
export function closesFence(text: string, { start, end }: TextRange, fence: Fence): boolean {
  const length = countMarks(text, start, fence.mark);
  return length >= fence.length && /^[ \t]*$/.test(text.slice(start + length, end));
}

/**
 * Finds blocks of fenced code in the lines of a document that people edit. A fence that is never closed opens no block:
 * one slip must not hide the rest of the document.
 */
export class FencedBlocks {
  readonly #lines: readonly string[];
  readonly #maxIndent: number;
  /** The shortest fence of each mark that was never closed, so that no text is searched to its end again and again. */
  readonly #unclosed = new Map<number, number>();

  constructor(lines: readonly string[], { maxIndent = MAX_FENCE_INDENT } = {}) {
    this.#lines = lines;
    this.#maxIndent = maxIndent;
  }

  /** The last line of the block that opens at this line; undefined where none opens or it is never closed. */
  findEnd(index: number): number | undefined {
    const text = this.#lines[index] ?? "";
    const range = this.#rangeOf(text);
    const fence = range === undefined ? undefined : readFence(text, range);
    if (fence === undefined || fence.length >= (this.#unclosed.get(fence.mark) ?? Infinity)) return undefined;
    for (let at = index + 1; at < this.#lines.length; at += 1) {
      const line = this.#lines[at] ?? "";
      const content = this.#rangeOf(line);
      if (content !== undefined && closesFence(line, content, fence)) return at;
    }
    this.#unclosed.set(fence.mark, fence.length);
    return undefined;
  }

  #rangeOf(line: string): TextRange | undefined {
    let start = 0;
    let columns = 0;
    for (; line[start] === " " || line[start] === "\t"; start += 1)
      columns += line[start] === " " ? 1 : TAB_STOP - (columns % TAB_STOP);
    return columns > this.#maxIndent ? undefined : { start, end: line.length };
  }
}

function countMarks(text: string, start: number, mark: number): number {
  let end = start;
  while (text.charCodeAt(end) === mark) end += 1;
  return end - start;
}
