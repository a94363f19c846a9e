import { credentialShapes, type CredentialShape } from "../rules/credential-shapes.ts";
import { findRunEnd, isWordStart, looksRandom, type Span } from "./characters.ts";

interface Candidate {
  readonly prefix: string;
  readonly shape: CredentialShape;
}

/** The first two characters of a prefix, as one number. */
export function readPair(text: string, at: number): number {
  return ((text.charCodeAt(at) & 0xff) << 8) | (text.charCodeAt(at + 1) & 0xff);
}

const candidates = new Map<number, Candidate[]>();
for (const shape of credentialShapes) {
  for (const prefix of shape.prefixes) {
    const pair = readPair(prefix, 0);
    candidates.set(pair, [...(candidates.get(pair) ?? []), { prefix, shape }]);
  }
}
// The longest prefix is the most exact one.
for (const list of candidates.values()) list.sort((one, other) => other.prefix.length - one.prefix.length);

export const shapePairs: readonly number[] = [...candidates.keys()];

/** The credential of a known shape that begins here. */
export function matchShape(text: string, at: number): Span | undefined {
  const list = candidates.get(readPair(text, at));
  if (list === undefined || !isWordStart(text, at)) return undefined;
  for (const { prefix, shape } of list) {
    if (!text.startsWith(prefix, at)) continue;
    const span = matchBody(text, at, { prefix, shape });
    if (span !== undefined) return span;
  }
  return undefined;
}

function matchBody(text: string, at: number, { prefix, shape }: Candidate): Span | undefined {
  const from = at + prefix.length;
  const run = findRunEnd(text, from, shape.alphabet);
  const end = dropClosing(text, { start: from, end: run });
  const length = end - from;
  if (length < shape.min || length > (shape.max ?? Infinity)) return undefined;
  const body = text.slice(from, end);
  if (!looksRandom(body)) return undefined;
  // A short prefix is also the beginning of ordinary words.
  if (prefix.length <= MAX_SHORT_PREFIX && shape.alphabet !== "hex" && !isMixed(body)) return undefined;
  return { start: at, end };
}

const MAX_SHORT_PREFIX = 3;

function isMixed(body: string): boolean {
  return /\d/.test(body) && (/^[0-9a-f]+$/.test(body) || (/[a-z]/.test(body) && /[A-Z]/.test(body)));
}

/** The full stop after a token is not part of it. */
function dropClosing(text: string, { start, end }: Span): number {
  let last = end;
  while (last > start && ".:%@".includes(text.charAt(last - 1))) last -= 1;
  return last;
}
