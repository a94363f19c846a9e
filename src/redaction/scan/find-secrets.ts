import {
  isWordStart,
  joinSpans,
  LETTERS,
  looksRandom,
  makeSet,
  measureEntropy,
  type Span,
} from "./characters.ts";
import { findAssignedValue, findCookies, findElementText, findFlagValue } from "./find-assignment.ts";
import {
  findAzureSecret,
  findBotToken,
  findCommandSecret,
  findNetrcPassword,
} from "./find-command-secret.ts";
import { findSchemeValue, findWordSecret, MIN_LONG_WORD } from "./find-word-secret.ts";
import { KnownValues } from "./known-values.ts";
import { matchShape, readPair, shapePairs } from "./match-shape.ts";

const MAX_AUTHORITY_LENGTH = 2000;
const MIN_TOKEN_LENGTH = 16;
const MIN_TOKEN_ENTROPY = 3.3;
const KEY_BEGIN = "-----BEGIN ";
const KEY_END = "-----END ";
const MAX_TITLE_LENGTH = 80;

/** `exact` finds only what is a credential beyond doubt: known values and shapes, not values of suspicious names. */
export type Thoroughness = "all" | "exact";

type Finder = (text: string, at: number) => Span | undefined;

/**
 * The secrets that may begin at a pair of characters: none for most pairs, so that most of a text is passed with one
 * look per character; for many only a shape, which begins a word.
 */
const table = new Uint8Array(0x1_00_00);
const SHAPE = 1;
const ANYTHING = 2;
const known = new KnownValues();
const exactFinders = new Map<number, Finder[]>();
const looseFinders = new Map<number, Finder[]>();

for (const pair of shapePairs) {
  addFinder(exactFinders, pair, matchShape);
  table[pair] = SHAPE;
}
addFinder(exactFinders, readPair("--", 0), findPrivateKey);
addFinder(exactFinders, readPair("Q~", 0), findAzureSecret);
addFinder(exactFinders, readPair(":A", 0), findBotToken);
addFinder(looseFinders, readPair("--", 0), findFlagValue);
addFinder(looseFinders, readPair("--", 0), findCommandSecret);
addFinder(looseFinders, readPair("-u", 0), findCommandSecret);
addFinder(looseFinders, readPair("-p", 0), findCommandSecret);
addFinder(looseFinders, readPair("pa", 0), findNetrcPassword);
for (const pair of ["Be", "be", "BE", "Ba", "ba", "BA"])
  addFinder(looseFinders, readPair(pair, 0), findAtWordStart);

function addFinder(finders: Map<number, Finder[]>, pair: number, finder: Finder): void {
  table[pair] = ANYTHING;
  finders.set(pair, [...(finders.get(pair) ?? []), finder]);
}

function findAtWordStart(text: string, at: number): Span | undefined {
  return isWordStart(text, at) ? findSchemeValue(text, at) : undefined;
}

/** Adds the secret values of an environment to what every later search finds. */
export function learnValues(environment: Readonly<Record<string, string | undefined>>): void {
  for (const pair of known.learn(environment)) table[pair] = ANYTHING;
}

const EQUALS = 0x3d;
const COLON = 0x3a;
const GREATER = 0x3e;
addSign(EQUALS);
addSign(COLON);
addSign(GREATER);

/** A sign counts whatever is before it. */
function addSign(sign: number): void {
  for (let before = 0; before < 0x100; before += 1) table[(before << 8) | sign] = ANYTHING;
}

/** Every secret of a text, in order, without overlaps. Each character is looked at a bounded number of times. */
export function findSecrets(text: string, thoroughness: Thoroughness = "all"): readonly Span[] {
  const spans: Span[] = [];
  let before = 0;
  let wordStart = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (longWord[code & 0xff] !== 1) {
      if (at - wordStart >= MIN_LONG_WORD) addLongWord(text, { start: wordStart, end: at }, spans);
      wordStart = at + 1;
    }
    const pair = ((before & 0xff) << 8) | (code & 0xff);
    before = code;
    const kind = table[pair];
    if (kind === 0 || (kind === SHAPE && !isWordStart(text, at - 1))) continue;
    const span = findAround(text, at, { pair, thoroughness });
    if (span === undefined) continue;
    spans.push(span);
    at = Math.max(at, span.end - 1);
    wordStart = at + 1;
    before = 0;
  }
  if (text.length - wordStart >= MIN_LONG_WORD)
    addLongWord(text, { start: wordStart, end: text.length }, spans);
  return joinSpans(spans);
}

const longWord = makeSet(`${LETTERS}+/_.-`);

function addLongWord(text: string, word: Span, spans: Span[]): void {
  const span = findWordSecret(text, word);
  if (span !== undefined) spans.push(span);
}

interface Look {
  readonly pair: number;
  readonly thoroughness: Thoroughness;
}

/** `at` is the second character of the pair. */
function findAround(text: string, at: number, { pair, thoroughness }: Look): Span | undefined {
  const start = at - 1;
  const length = known.match(text, start);
  if (length > 0) return { start, end: start + length };
  const exact = findFirst(exactFinders.get(pair), text, start);
  if (exact !== undefined || thoroughness === "exact") return exact;
  return findFirst(looseFinders.get(pair), text, start) ?? findAtSign(text, at);
}

function findFirst(finders: readonly Finder[] | undefined, text: string, at: number): Span | undefined {
  for (const find of finders ?? []) {
    const span = find(text, at);
    if (span !== undefined) return span;
  }
  return undefined;
}

function findAtSign(text: string, at: number): Span | undefined {
  const code = text.charCodeAt(at);
  if (code === GREATER) return findElementText(text, at);
  if (code === EQUALS) return findAssignedValue(text, at);
  if (code !== COLON) return undefined;
  if (text.startsWith("://", at)) return findAddressSecret(text, at);
  return findCookies(text, at) ?? findAssignedValue(text, at);
}

/** An incomplete key takes the rest of the text: half a key is still a secret. */
function findPrivateKey(text: string, at: number): Span | undefined {
  if (!text.startsWith(KEY_BEGIN, at)) return undefined;
  if (!text.slice(at, at + MAX_TITLE_LENGTH).includes("PRIVATE KEY")) return undefined;
  const end = text.indexOf(KEY_END, at);
  const close = end === -1 ? -1 : text.indexOf("-----", end + KEY_END.length);
  return { start: at, end: close === -1 ? text.length : close + "-----".length };
}

/** The password in `scheme://user:password@host`, or the token in `https://token@host`; `sign` is where `://` is. */
function findAddressSecret(text: string, sign: number): Span | undefined {
  const from = sign + "://".length;
  const authority = text.slice(from, findAuthorityEnd(text, from));
  const at = authority.lastIndexOf("@");
  if (at === -1) return undefined;
  const colon = authority.indexOf(":");
  const hasPassword = colon !== -1 && colon < at;
  const start = hasPassword ? colon + 1 : 0;
  const secret = authority.slice(start, at);
  if (secret === "" || /^[[$<{*]/.test(secret)) return undefined;
  return hasPassword || isTokenName(secret) ? { start: from + start, end: from + at } : undefined;
}

function isTokenName(user: string): boolean {
  return (
    user.length >= MIN_TOKEN_LENGTH &&
    looksRandom(user) &&
    /^\w+$/.test(user) &&
    measureEntropy(user) >= MIN_TOKEN_ENTROPY
  );
}

function findAuthorityEnd(text: string, from: number): number {
  const last = Math.min(text.length, from + MAX_AUTHORITY_LENGTH);
  let end = from;
  while (end < last && !' \t\r\n/?#"<>\\'.includes(text.charAt(end))) end += 1;
  return end;
}
