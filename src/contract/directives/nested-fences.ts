import { type Fence, readFence } from "../../base/markdown-fences.ts";
import { isBlankFrom, type MarkdownLine } from "./markdown-line.ts";

/**
 * Fences as people nest them: a fence with a language inside another fence opens a second level, which Markdown does not
 * have. Without it a quoted file with fences of its own would close the fence around it.
 */
export class NestedFences {
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
