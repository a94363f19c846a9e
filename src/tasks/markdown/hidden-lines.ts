import { FencedBlocks } from "../../base/markdown-fences.ts";
import { countIndent, type Line } from "./lines.ts";

/**
 * Marks the lines that are not Markdown of the document itself: frontmatter, fenced code and comments. A fence or comment
 * that is never closed hides nothing, so that one slip of the hand cannot make the tasks below it disappear.
 */
export function findHiddenLines(lines: readonly Line[]): Uint8Array {
  const hidden = new Uint8Array(lines.length);
  const fences = new FencedBlocks(lines.map(({ text }) => text));
  const comments = new Comments(lines);
  for (let index = findFrontmatterEnd(lines, hidden); index < lines.length; index += 1) {
    const last = comments.findEnd(index) ?? fences.findEnd(index);
    if (last === undefined) continue;
    hidden.fill(1, index, last + 1);
    index = last;
  }
  return hidden;
}

const MAX_FRONTMATTER_LINES = 500;

function findFrontmatterEnd(lines: readonly Line[], hidden: Uint8Array): number {
  if (lines[0]?.text.trimEnd() !== "---") return 0;
  for (let index = 1; index < Math.min(lines.length, MAX_FRONTMATTER_LINES); index += 1) {
    if (lines[index]?.text.trimEnd() !== "---") continue;
    hidden.fill(1, 0, index + 1);
    return index + 1;
  }
  return 0;
}

class Comments {
  readonly #lines: readonly Line[];
  /** Set once a comment was never closed, so that the text is not searched to its end again and again. */
  #isUnclosed = false;

  constructor(lines: readonly Line[]) {
    this.#lines = lines;
  }

  /** The last line of the comment that opens at this line; undefined where none opens or it is never closed. */
  findEnd(index: number): number | undefined {
    const text = this.#lines[index]?.text ?? "";
    const indent = countIndent(text);
    if (this.#isUnclosed || indent > 3 || !text.startsWith("<!--", indent)) return undefined;
    for (let at = index; at < this.#lines.length; at += 1) {
      if (this.#lines[at]?.text.includes("-->") === true) return at;
    }
    this.#isUnclosed = true;
    return undefined;
  }
}
