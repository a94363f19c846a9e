import { groupDigits } from "../../base/group-digits.ts";
import { isHidden, removeSequences } from "../../base/safe-text.ts";

export interface TextLimits {
  /** Characters of one line, and of the whole. */
  readonly line: number;
  readonly text: number;
}

const usualLimits: TextLimits = { line: 2000, text: 20_000 };

/**
 * Text from outside as a browser may show it: terminal sequences are gone, whatever is invisible or turns the direction
 * of writing is spelled out, and what is too long is cut, saying how much is left out. Line ends and tabs stay.
 */
export function sanitizeText(text: string, limits: TextLimits = usualLimits): string {
  if (text.length <= Math.min(limits.line, limits.text) && !NOT_PLAIN.test(text)) return text;
  const cut = cutText(text, limits.text);
  const shown = removeSequences(cut, spellOut);
  return shown
    .split("\n")
    .map((line) => cutText(line, limits.line))
    .join("\n");
}

/** The document with every text sanitized; nothing else in it changes. */
export function sanitizeDocument(value: unknown, limits: TextLimits = usualLimits): unknown {
  if (typeof value === "string") return sanitizeText(value, limits);
  if (Array.isArray(value)) return value.map((item) => sanitizeDocument(item, limits));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      sanitizeDocument(inner, longFields.get(name) ?? usualLimits),
    ]),
  );
}

/** Fields that people read in full may be longer than the rest. */
const longFields: ReadonlyMap<string, TextLimits> = new Map([
  ["patch", { line: 4000, text: 2_000_000 }],
  ["raw", { line: 20_000, text: 300_000 }],
  ["json", { line: 20_000, text: 100_000 }],
]);

/** Most texts are plain and need no further work. */
const NOT_PLAIN =
  /[^\n\t\u{20}-\u{7e}\u{a1}-\u{ac}\u{ae}-\u{2ff}\u{370}-\u{5ff}\u{2010}-\u{2027}\u{2190}-\u{2bff}]/u;

const ZERO_WIDTH_JOINER = 0x200d;

function spellOut(code: number): string {
  if (code === 0x0a || code === 0x09) return String.fromCodePoint(code);
  // Half of a line end of Windows.
  if (code === 0x0d) return "";
  if (code >= 0xd800 && code <= 0xdfff) return "\u{fffd}";
  const isSpelled = (isHidden(code) && code !== ZERO_WIDTH_JOINER) || code === 0x2028 || code === 0x2029;
  return isSpelled ? `\\u{${code.toString(16)}}` : String.fromCodePoint(code);
}

function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  // Never between the two halves of one character.
  const end = isHighSurrogate(text.charCodeAt(most - 1)) ? most - 1 : most;
  return `${text.slice(0, end)}… [${groupDigits(text.length - end)} more characters]`;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
