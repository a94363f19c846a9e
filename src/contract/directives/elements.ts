import { isLineBreak } from "./markdown-line.ts";
import type { Masks } from "./masks.ts";

const LESS_THAN = "<";
const HIDDEN = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
] as const;
const MAX_NAME_LENGTH = 60;

/**
 * Masks comments, unclosed ones to the end, and everything between `<name>` and its `</name>`, the usual way to show
 * files and tool output. A tag that is never closed, as in `Array<string>`, is not an element.
 */
export function maskElements(text: string, { code, mask }: Masks): void {
  const open = new Map<string, number[]>();
  const depth = new Int32Array(text.length + 1);
  let at = text.indexOf(LESS_THAN);
  while (at !== -1) {
    const end = code[at] === 1 ? at + 1 : takeAt(text, at, { open, depth });
    at = text.indexOf(LESS_THAN, end);
  }
  let level = 0;
  for (let index = 0; index < text.length; index += 1) {
    level += depth[index] ?? 0;
    if (level > 0) mask[index] = 1;
  }
}

interface Found {
  readonly open: Map<string, number[]>;
  readonly depth: Int32Array;
}

/** Returns where to continue. */
function takeAt(text: string, at: number, { open, depth }: Found): number {
  const hidden = HIDDEN.find(([start]) => text.startsWith(start, at));
  if (hidden !== undefined) {
    const close = text.indexOf(hidden[1], at + hidden[0].length);
    const end = close === -1 ? text.length : close + hidden[1].length;
    markRange(depth, at, end);
    return end;
  }
  const tag = readTag(text, at);
  if (tag === undefined) return at + 1;
  const starts = open.get(tag.name) ?? [];
  const start = tag.isClosing ? starts.pop() : undefined;
  if (start !== undefined) markRange(depth, start, tag.end);
  if (!tag.isClosing) starts.push(at);
  open.set(tag.name, starts);
  return tag.end;
}

/** Changes of the nesting level, so that nested elements are not filled again and again. */
function markRange(depth: Int32Array, start: number, end: number): void {
  depth[start] = (depth[start] ?? 0) + 1;
  depth[end] = (depth[end] ?? 0) - 1;
}

interface Tag {
  readonly name: string;
  readonly isClosing: boolean;
  readonly end: number;
}

/** `<name …>` or `</name>` on one line; `<name/>` is empty. */
function readTag(text: string, at: number): Tag | undefined {
  const isClosing = text.charAt(at + 1) === "/";
  const start = at + (isClosing ? 2 : 1);
  const name = /^[A-Za-z][\w.:-]*/.exec(text.slice(start, start + MAX_NAME_LENGTH))?.[0];
  if (name === undefined) return undefined;
  let end = start + name.length;
  while (end < text.length && text.charAt(end) !== ">") {
    if (text.charAt(end) === LESS_THAN || isLineBreak(text.charCodeAt(end))) return undefined;
    end += 1;
  }
  if (end === text.length || text.charAt(end - 1) === "/") return undefined;
  return { name: name.toLowerCase(), isClosing, end: end + 1 };
}
