import type { Alphabet } from "../rules/credential-shapes.ts";

/** Where a secret is in a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** In order, with overlapping ones joined. */
export function joinSpans(spans: readonly Span[]): readonly Span[] {
  if (spans.length < 2) return spans;
  const joined: Span[] = [];
  for (const span of spans.toSorted((one, other) => one.start - other.start)) {
    const last = joined.at(-1);
    if (last === undefined || span.start >= last.end) joined.push(span);
    else joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
  }
  return joined;
}

const LOWER = "abcdefghijklmnopqrstuvwxyz";
export const LETTERS = `${LOWER}${LOWER.toUpperCase()}0123456789`;

const alphabets: Readonly<Record<Alphabet, Uint8Array>> = {
  hex: makeSet("0123456789abcdefABCDEF"),
  letters: makeSet(LETTERS),
  word: makeSet(`${LETTERS}_-`),
  base64: makeSet(`${LETTERS}_-+/=`),
  dotted: makeSet(`${LETTERS}_-.`),
  path: makeSet(`${LETTERS}_-./:=%@`),
};

const nameCharacters = makeSet(`${LETTERS}_-.`);
const wordCharacters = makeSet(`${LETTERS}_`);

/** 1 at the code of each of the characters. */
export function makeSet(characters: string): Uint8Array {
  const set = new Uint8Array(0x100);
  for (let index = 0; index < characters.length; index += 1) set[characters.charCodeAt(index)] = 1;
  return set;
}

/** Where the run of characters of one alphabet ends. */
export function findRunEnd(text: string, from: number, alphabet: Alphabet): number {
  const set = alphabets[alphabet];
  let end = from;
  while (end < text.length && set[text.charCodeAt(end)] === 1) end += 1;
  return end;
}

/** Where the name that ends at `end` begins. */
export function findNameStart(text: string, end: number): number {
  let start = end;
  while (start > 0 && nameCharacters[text.charCodeAt(start - 1)] === 1) start -= 1;
  return start;
}

function isWordCharacter(code: number): boolean {
  return wordCharacters[code] === 1;
}

/** A letter after a backslash is an escape of JSON inside a text, such as `\n`, and belongs to no word. */
export function isWordStart(text: string, at: number): boolean {
  if (at === 0 || !isWordCharacter(text.charCodeAt(at - 1))) return true;
  return at > 1 && text.charAt(at - 2) === "\\" && "nrtbf".includes(text.charAt(at - 1));
}

export function skipCharacters(text: string, from: number, characters: string): number {
  let at = from;
  while (at < text.length && characters.includes(text.charAt(at))) at += 1;
  return at;
}

export function skipBack(text: string, from: number, characters: string): number {
  let at = from;
  while (at > 0 && characters.includes(text.charAt(at - 1))) at -= 1;
  return at;
}

/** Bits per character, by how often each occurs. */
export function measureEntropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  const shares = [...counts.values()].map((count) => count / text.length);
  return -shares.reduce((sum, share) => sum + share * Math.log2(share), 0);
}

/** Has a digit, or capitals among small letters: most words and identifiers have neither. */
export function looksRandom(text: string): boolean {
  return /\d/.test(text) || (/[a-z]/.test(text) && /[a-z][A-Z]|[A-Z]{2}/.test(text));
}
