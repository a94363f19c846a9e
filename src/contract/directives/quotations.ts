import { isLineBreak, lineEnd } from "./markdown-line.ts";
import type { Masks } from "./masks.ts";

const OPENINGS = ["[delegate:", "[use-mcp:"] as const;
const PAIRS: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ["“", "”"],
  ["„", "“"],
  ["‘", "’"],
  ["«", "»"],
  ["「", "」"],
]);
/**
 * Characters that may precede an opening quotation mark; after others it is an inch, an apostrophe or a closing mark.
 */
const BEFORE_QUOTE = /[\s([{:,=>\-–—|/\\"'`]/;
/** Characters that may precede a directive; after others it is part of a longer word or line. */
const BEFORE_DIRECTIVE = /[\s(*_|,;.!?)\]~–—\ud800-\udfff]/;

/** Masks quoted text on one line, and a line from where a directive is attached to other text. */
export function maskQuotations(text: string, masks: Masks): void {
  const facts: Facts = { ...masks, partners: matchBrackets(text, masks.code), unclosed: new Map() };
  let index = 0;
  while (index < text.length) index = masks.code[index] === 1 ? index + 1 : takeAt(text, index, facts);
}

interface Facts extends Masks {
  readonly partners: ReadonlyMap<number, number>;
  /** The end of the text in which no closing mark of a kind was found, so that a line is searched once. */
  readonly unclosed: Map<string, number>;
}

/** Returns where to continue. Quotation marks inside a directive belong to its description. */
function takeAt(text: string, index: number, facts: Facts): number {
  const before = index === 0 ? "\n" : text.charAt(index - 1);
  const character = text.charAt(index);
  if (character === "[" && OPENINGS.some((opening) => text.startsWith(opening, index))) {
    if (BEFORE_DIRECTIVE.test(before)) return facts.partners.get(index) ?? index + 1;
    const end = lineEnd(text, index);
    facts.mask.fill(1, index, end);
    return end;
  }
  const close = PAIRS.get(character);
  if (close === undefined || !BEFORE_QUOTE.test(before) || /^\s?$/.test(text.charAt(index + 1)))
    return index + 1;
  const end = findClosing(text, { start: index + 1, close, unclosed: facts.unclosed });
  if (end === undefined) return index + 1;
  facts.mask.fill(1, index, end);
  return end;
}

interface Search extends Pick<Facts, "unclosed"> {
  readonly start: number;
  readonly close: string;
}

/**
 * Finds the end after the closing mark on this line. A double quote that is never closed covers the rest of its line:
 * truncated JSON.
 */
function findClosing(text: string, { start, close, unclosed }: Search): number | undefined {
  if (start < (unclosed.get(close) ?? 0)) return undefined;
  let index = start;
  while (index < text.length && !isLineBreak(text.charCodeAt(index))) {
    const character = text.charAt(index);
    if (character === "\\") index += 1;
    else if (character === close && isClosing(text, index)) return index + 1;
    index += 1;
  }
  unclosed.set(close, index);
  return close === '"' ? Math.min(index, text.length) : undefined;
}

function isClosing(text: string, index: number): boolean {
  return text.charAt(index) !== "'" || !/\w/.test(text.charAt(index + 1));
}

/** Finds where the bracket of each directive closes on its line, in one pass. */
function matchBrackets(text: string, code: Uint8Array): ReadonlyMap<number, number> {
  const partners = new Map<number, number>();
  const open: number[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (isLineBreak(character)) open.length = 0;
    if (code[index] === 1) continue;
    if (text.charAt(index) === "[") open.push(index);
    const start = text.charAt(index) === "]" ? open.pop() : undefined;
    if (start !== undefined && OPENINGS.some((opening) => text.startsWith(opening, start)))
      partners.set(start, index + 1);
  }
  return partners;
}
