import { findRunEnd, looksRandom, measureEntropy, type Span } from "./characters.ts";
import { matchShape } from "./match-shape.ts";

export const MIN_LONG_WORD = 24;
const MAX_DECODED_LENGTH = 8192;

/** Credentials without a prefix that their whole form gives away. The word is at least `MIN_LONG_WORD` long. */
export function findWordSecret(text: string, span: Span): Span | undefined {
  if (span.end - span.start > MAX_DECODED_LENGTH || isNameOrPath(text, span)) return undefined;
  const word = text.slice(span.start, span.end);
  if (isWebToken(word) || isDiscordToken(word) || isAwsSecret(word) || isMailchimpKey(word)) return span;
  return hasEncodedSecret(word) ? span : undefined;
}

/** With a full stop it can only be one of the two tokens that have one, and those begin with `eyJ`, `M`, `N` or `O`. */
function isNameOrPath(text: string, { start, end }: Span): boolean {
  if ("eMNO".includes(text.charAt(start))) return false;
  for (let at = start; at < end; at += 1) if (text.charCodeAt(at) === FULL_STOP) return true;
  return false;
}

const FULL_STOP = 0x2e;

/** Header, payload and signature; an inline source map begins the same way but has no dot. */
function isWebToken(word: string): boolean {
  return word.startsWith("eyJ") && /^eyJ[\w-]{10,}={0,2}\.[\w-]{10,}={0,2}(?:\.[\w-]*={0,2})*$/.test(word);
}

function isDiscordToken(word: string): boolean {
  return /^[MNO][A-Za-z\d_-]{22,27}\.[A-Za-z\d_-]{6}\.[A-Za-z\d_-]{27,40}$/.test(word) && /\d/.test(word);
}

const AWS_SECRET_LENGTH = 40;
const MIN_AWS_ENTROPY = 4.4;

/** Forty characters of base64 that no path, identifier or hash resembles. */
function isAwsSecret(word: string): boolean {
  if (word.length !== AWS_SECRET_LENGTH || !/^[A-Za-z\d+/]+$/.test(word)) return false;
  const isMixed = /[a-z]/.test(word) && /[A-Z]/.test(word) && /\d/.test(word) && /[+/]/.test(word);
  return isMixed && measureEntropy(word) >= MIN_AWS_ENTROPY && !/[a-z]{6}/.test(word);
}

function isMailchimpKey(word: string): boolean {
  return /^[\da-f]{32}-us\d{1,2}$/.test(word);
}

/** Base64 of a text that holds a credential, as in a Kubernetes secret. Pictures fail at their first bytes. */
function hasEncodedSecret(word: string): boolean {
  if (!/^[A-Za-z\d+/]+={0,2}$/.test(word) || !looksRandom(word)) return false;
  if (!isPrintable(decode(word.slice(0, MIN_LONG_WORD)))) return false;
  const decoded = decode(word);
  return isPrintable(decoded) && hasShape(decoded);
}

function decode(word: string): string {
  return Buffer.from(word, "base64").toString("latin1");
}

function isPrintable(text: string): boolean {
  return /^[\t\n\r\x20-\x7e]+$/.test(text);
}

function hasShape(text: string): boolean {
  for (let at = 0; at < text.length - 1; at += 1) if (matchShape(text, at) !== undefined) return true;
  return false;
}

/** The word after `Bearer` or `Basic`. */
export function findSchemeValue(text: string, at: number): Span | undefined {
  const scheme = /^(?:bearer|basic) +/i.exec(text.slice(at, at + MAX_SCHEME_LENGTH))?.[0];
  if (scheme === undefined) return undefined;
  const start = at + scheme.length;
  const end = findRunEnd(text, start, "path");
  const last = findRunEnd(text, start, "base64");
  const word = text.slice(start, Math.max(end, last));
  if (word.length < MIN_BEARER_LENGTH || !isRandomWord(word)) return undefined;
  return { start, end: start + word.length };
}

const MAX_SCHEME_LENGTH = 10;
const MIN_BEARER_LENGTH = 8;
const MIN_LETTERS_LENGTH = 20;

/** "Basic authentication" is a phrase. */
function isRandomWord(word: string): boolean {
  return /\d/.test(word) || (word.length >= MIN_LETTERS_LENGTH && looksRandom(word)) || word.endsWith("=");
}
