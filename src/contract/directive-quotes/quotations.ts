import { isLineBreak } from "../markdown-line.ts";
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
/** What may stand right before an opening quotation mark; after anything else it is an inch, an apostrophe or an end. */
const BEFORE_QUOTE = /[\s([{:,=>\-–—|/\\"'`]/;
/** What may stand right before a directive; after anything else it is a piece of a longer word or line. */
const BEFORE_DIRECTIVE = /[\s(*_|,;.!?)\]~–—\ud800-\udfff]/;

/** Masks what stands in quotation marks on one line, and a line from where a directive is glued to something. */
export function maskQuotations(text: string, masks: Masks): void {
  const facts: Facts = { ...masks, partners: matchBrackets(text, masks.code), unclosed: new Map() };
  let index = 0;
  while (index < text.length) index = masks.code[index] === 1 ? index + 1 : takeAt(text, index, facts);
}

interface Facts extends Masks {
  readonly partners: ReadonlyMap<number, number>;
  /** Up to where no closing mark of a kind was found, so that a line is searched once. */
  readonly unclosed: Map<string, number>;
}

/** Answers where to look on. Quotation marks inside a directive belong to its description. */
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

function lineEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && !isLineBreak(text.charCodeAt(end))) end += 1;
  return end;
}

interface Search extends Pick<Facts, "unclosed"> {
  readonly start: number;
  readonly close: string;
}

/** After the closing mark of this line. A double quote that is never closed holds the rest of its line: cut-off JSON. */
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

/** Where the bracket of each directive closes on its line, in one pass. */
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
