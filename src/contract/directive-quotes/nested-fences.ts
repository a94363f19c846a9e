import { isBlankFrom, type MarkdownLine } from "../markdown-line.ts";

const BACKTICK = 96;
const TILDE = 126;
const MIN_FENCE = 3;

interface Fence {
  readonly mark: number;
  readonly length: number;
}

/**
 * Fences as people nest them: one with a language inside another opens a second level, which Markdown does not know.
 * A quoted file with fences of its own would end the fence around it otherwise.
 */
export class NestedFences {
  readonly #open: Fence[] = [];

  /** Whether this line is inside a fence or one of its ends. */
  takes(text: string, line: MarkdownLine): boolean {
    const wasOpen = this.#open.length > 0;
    const fence = readFence(text, line);
    if (fence === undefined) return wasOpen;
    const isBare = isBlankFrom(text, line.content + fence.length, line.end);
    if (!wasOpen || !isBare) this.#open.push(fence);
    else this.#close(fence);
    return true;
  }

  /** A longer one ends the shorter ones inside it too. */
  #close({ mark, length }: Fence): void {
    let ended = this.#open.at(-1);
    while (ended !== undefined && ended.mark === mark && ended.length <= length) {
      this.#open.pop();
      if (ended.length === length) return;
      ended = this.#open.at(-1);
    }
  }
}

function readFence(text: string, { content, end }: MarkdownLine): Fence | undefined {
  const mark = text.charCodeAt(content);
  if (content >= end || (mark !== BACKTICK && mark !== TILDE)) return undefined;
  let length = 0;
  while (content + length < end && text.charCodeAt(content + length) === mark) length += 1;
  // ```inline``` on one line is a span, not a fence.
  const isSpan = mark === BACKTICK && text.slice(content + length, end).includes("`");
  return length < MIN_FENCE || isSpan ? undefined : { mark, length };
}
