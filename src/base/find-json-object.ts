import { scanJson, skipSpace, type ScanResult } from "./json-scanner.ts";

export interface FoundObject {
  readonly start: number;
  readonly end: number;
  /** Keys of all levels, counted before parsing: fewer after parsing means duplicates. */
  readonly keys: number;
}

export type FindResult =
  | { readonly kind: "found"; readonly object: FoundObject }
  | { readonly kind: "none" }
  | { readonly kind: "truncated" }
  | { readonly kind: "too-deep" }
  | { readonly kind: "too-many" }
  | { readonly kind: "other-value" };

export interface FindOptions {
  /** An object inside other text counts only if it contains all of these. */
  readonly carrying: readonly Uint8Array[];
  /** A broken object that contains all of these was meant as the answer, so objects before it no longer count. */
  readonly meant: readonly Uint8Array[];
  readonly maxDepth: number;
  readonly maxValues: number;
}

const QUOTE = 0x22;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Finds the JSON object that the whole text is, or the last balanced one in a text of prose, fences and several
 * objects. A text that ends inside an object is truncated, whatever came before it: a repair turn is better than
 * taking an echoed example for the answer.
 */
export function findLastObject(bytes: Uint8Array, options: FindOptions): FindResult {
  const whole = scanWhole(bytes, options);
  if (whole !== undefined) return whole;

  const limits = { ...options, stack: new Uint8Array(options.maxDepth + 1) };
  const carries = needleFinder(bytes, options.carrying);
  const isMeant = needleFinder(bytes, options.meant);
  let last: FindResult = { kind: "none" };
  let at = nextOpening(bytes, 0);
  while (at !== -1) {
    const result = scanJson(bytes, at, limits);
    if (isFinal(result)) return result;
    if (result.kind === "complete") {
      const object = { start: at, end: result.end, keys: result.keys };
      if (carries(object)) last = { kind: "found", object };
      at = nextOpening(bytes, result.end);
    } else {
      if (isMeant({ start: at, end: result.at })) last = { kind: "none" };
      at = nextCandidate(bytes, at, result);
    }
  }
  return last;
}

/** Over a cap, or cut off: nothing after it can be trusted. */
function isFinal(result: ScanResult): result is Exclude<ScanResult, { kind: "complete" | "invalid" }> {
  return result.kind !== "complete" && result.kind !== "invalid";
}

/** Scans a document that is one JSON value and nothing else, the form we ask for. */
function scanWhole(bytes: Uint8Array, options: FindOptions): FindResult | undefined {
  const start = skipSpace(bytes, startAfterByteOrderMark(bytes));
  const result = scanJson(bytes, start, options);
  if (result.kind === "too-deep" || result.kind === "too-many") return result;
  if (result.kind !== "complete" || skipSpace(bytes, result.end) !== bytes.length) return undefined;
  if (bytes[start] !== OPEN_BRACE) return { kind: "other-value" };
  return { kind: "found", object: { start, end: result.end, keys: result.keys } };
}

function startAfterByteOrderMark(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

/**
 * Prose may open a brace and a quote that swallow the real start (`{" then {"status":…`), so the last string before
 * the failure is searched again, and only that one, which keeps the walk linear.
 */
function nextCandidate(bytes: Uint8Array, from: number, failed: { at: number; lastString: number }): number {
  const inString = failed.lastString > from ? nextOpening(bytes, failed.lastString) : -1;
  if (inString !== -1 && inString < failed.at) return inString;
  return nextOpening(bytes, Math.max(failed.at, from + 1));
}

/** Finds the next brace that could begin an object: a key, a closing brace or the end of the text follows it. */
function nextOpening(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at += 1) {
    if (bytes[at] !== OPEN_BRACE) continue;
    const byte = bytes[skipSpace(bytes, at + 1)];
    if (byte === QUOTE || byte === CLOSE_BRACE || byte === undefined) return at;
  }
  return -1;
}

/** Callers ask for objects from left to right, so each needle is searched through the text only once. */
function needleFinder(
  bytes: Uint8Array,
  needles: readonly Uint8Array[],
): (object: { start: number; end: number }) => boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const searched = needles.map((needle) => ({ needle: Buffer.from(needle), at: -1 }));
  return ({ start, end }) =>
    searched.every((search) => {
      if (search.at !== NOWHERE && search.at < start) {
        const found = text.indexOf(search.needle, start);
        search.at = found === -1 ? NOWHERE : found;
      }
      return search.at + search.needle.length <= end;
    });
}

const NOWHERE = Number.POSITIVE_INFINITY;
