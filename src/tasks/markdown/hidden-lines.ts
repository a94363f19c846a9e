import { countIndent, type Line } from "./lines.ts";

/**
 * Marks lines that are not Markdown of the document itself: frontmatter, fenced code and comments. A fence or comment
 * that is never closed hides nothing, so that a typing error cannot make the tasks below it disappear.
 */
export function findHiddenLines(lines: readonly Line[]): Uint8Array {
  const hidden = new Uint8Array(lines.length);
  const unclosed: Unclosed = { comment: false, fences: new Map() };
  for (let index = findFrontmatterEnd(lines, hidden); index < lines.length; index += 1) {
    const last = findBlockEnd(lines, index, unclosed);
    if (last === undefined) continue;
    hidden.fill(1, index, last + 1);
    index = last;
  }
  return hidden;
}

const MAX_FRONTMATTER_LINES = 500;

/** Ends that are known to be missing, so that the text is not searched again for each opening. */
interface Unclosed {
  comment: boolean;
  readonly fences: Map<string, number>;
}

function findFrontmatterEnd(lines: readonly Line[], hidden: Uint8Array): number {
  if (lines[0]?.text.trimEnd() !== "---") return 0;
  for (let index = 1; index < Math.min(lines.length, MAX_FRONTMATTER_LINES); index += 1) {
    if (lines[index]?.text.trimEnd() !== "---") continue;
    hidden.fill(1, 0, index + 1);
    return index + 1;
  }
  return 0;
}

/** The last line of the block that begins here; undefined if none begins here or it is never closed. */
function findBlockEnd(lines: readonly Line[], index: number, unclosed: Unclosed): number | undefined {
  const text = lines[index]?.text ?? "";
  const indent = countIndent(text);
  if (indent > 3) return undefined;
  if (text.startsWith("<!--", indent)) return findCommentEnd(lines, index, unclosed);
  const fence = readFenceMark(text, indent);
  return fence === undefined ? undefined : findFenceEnd(lines, index, { ...fence, unclosed });
}

function findCommentEnd(lines: readonly Line[], index: number, unclosed: Unclosed): number | undefined {
  if (unclosed.comment) return undefined;
  for (let at = index; at < lines.length; at += 1) {
    if (lines[at]?.text.includes("-->") === true) return at;
  }
  unclosed.comment = true;
  return undefined;
}

interface Fence {
  readonly mark: string;
  readonly length: number;
}

/** Three or more backticks or tildes; a line with backticks may have no further backtick. */
function readFenceMark(text: string, indent: number): Fence | undefined {
  const mark = text.charAt(indent);
  if (mark !== "`" && mark !== "~") return undefined;
  const length = countRunLength(text, indent, mark);
  if (length < 3 || (mark === "`" && text.includes("`", indent + length))) return undefined;
  return { mark, length };
}

function findFenceEnd(
  lines: readonly Line[],
  index: number,
  { mark, length, unclosed }: Fence & { readonly unclosed: Unclosed },
): number | undefined {
  if (length >= (unclosed.fences.get(mark) ?? Number.POSITIVE_INFINITY)) return undefined;
  for (let at = index + 1; at < lines.length; at += 1) {
    const text = lines[at]?.text ?? "";
    const indent = countIndent(text);
    const run = indent > 3 ? 0 : countRunLength(text, indent, mark);
    if (run >= length && text.slice(indent + run).trim() === "") return at;
  }
  unclosed.fences.set(mark, length);
  return undefined;
}

function countRunLength(text: string, start: number, mark: string): number {
  let end = start;
  while (text.charAt(end) === mark) end += 1;
  return end - start;
}
