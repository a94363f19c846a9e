/** The outcome of a strict, linear walk over one JSON value. Offsets are byte offsets. */
export type ScanResult =
  | { readonly kind: "complete"; readonly end: number; readonly keys: number }
  | { readonly kind: "invalid"; readonly at: number; readonly lastString: number }
  | { readonly kind: "truncated" }
  | { readonly kind: "too-deep" }
  | { readonly kind: "too-many" };

export interface ScanLimits {
  readonly maxDepth: number;
  /** Values of all levels, containers included. */
  readonly maxValues: number;
  /** `maxDepth + 1` bytes, reused between calls when many candidates are scanned. */
  readonly stack?: Uint8Array;
}

/** The state of the walk. Values, keys, separators: the whole JSON grammar in seven states. */
type Expect = "value" | "first-value" | "first-key" | "key" | "colon" | "comma" | "end";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;
const COLON = 0x3a;

/** The position of the walk; private to one call of `scanJson`. */
interface Walk {
  at: number;
  depth: number;
  keys: number;
  values: number;
  expect: Expect;
  lastString: number;
  readonly open: Uint8Array;
}

/**
 * Walks one JSON value from `start` without recursion and without building it, so that hostile input
 * of any size or nesting costs one pass and a stack of `maxDepth` bytes.
 */
export function scanJson(bytes: Uint8Array, start: number, limits: ScanLimits): ScanResult {
  const open = limits.stack ?? new Uint8Array(limits.maxDepth + 1);
  const walk: Walk = {
    at: start,
    depth: 0,
    keys: 0,
    values: 0,
    expect: "value",
    lastString: -1,
    open,
  };
  while (walk.expect !== "end") {
    walk.at = skipSpace(bytes, walk.at);
    const stop = takeStep(bytes, walk);
    if (stop !== undefined) return stop;
    if (walk.values > limits.maxValues) return { kind: "too-many" };
  }
  return { kind: "complete", end: walk.at, keys: walk.keys };
}

function takeStep(bytes: Uint8Array, walk: Walk): ScanResult | undefined {
  const byte = bytes[walk.at];
  if (byte === undefined) return { kind: "truncated" };
  if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) return closeContainer(walk, byte);
  switch (walk.expect) {
    case "comma":
      return passSeparator(walk, byte === COMMA, walk.open[walk.depth] === OPEN_BRACE ? "key" : "value");
    case "colon":
      return passSeparator(walk, byte === COLON, "value");
    case "key":
    case "first-key":
      return byte === QUOTE ? passString(bytes, walk) : failScan(walk);
    default:
      return byte === QUOTE ? passString(bytes, walk) : passValue(bytes, walk);
  }
}

function passValue(bytes: Uint8Array, walk: Walk): ScanResult | undefined {
  const byte = bytes[walk.at];
  if (byte === OPEN_BRACE || byte === OPEN_BRACKET) return openContainer(walk, byte);
  const end = scanScalar(bytes, walk.at);
  if (end === undefined) return endsInside(bytes, walk.at) ? { kind: "truncated" } : failScan(walk);
  walk.values += 1;
  walk.at = end;
  walk.expect = afterValue(walk.depth);
  return undefined;
}

function openContainer(walk: Walk, byte: number): ScanResult | undefined {
  walk.depth += 1;
  walk.values += 1;
  if (walk.depth >= walk.open.length) return { kind: "too-deep" };
  walk.open[walk.depth] = byte;
  walk.at += 1;
  walk.expect = byte === OPEN_BRACE ? "first-key" : "first-value";
  return undefined;
}

/** A container closes after a value or while still empty, never after a comma or a colon. */
function closeContainer(walk: Walk, byte: number): ScanResult | undefined {
  const empty = byte === CLOSE_BRACE ? "first-key" : "first-value";
  const opener = byte === CLOSE_BRACE ? OPEN_BRACE : OPEN_BRACKET;
  const opened = walk.depth > 0 && walk.open[walk.depth] === opener;
  if (!opened || (walk.expect !== "comma" && walk.expect !== empty)) return failScan(walk);
  walk.depth -= 1;
  walk.at += 1;
  walk.expect = afterValue(walk.depth);
  return undefined;
}

function passSeparator(walk: Walk, isThere: boolean, next: Expect): ScanResult | undefined {
  if (!isThere) return failScan(walk);
  walk.at += 1;
  walk.expect = next;
  return undefined;
}

function passString(bytes: Uint8Array, walk: Walk): ScanResult | undefined {
  walk.lastString = walk.at;
  const isKey = walk.expect === "key" || walk.expect === "first-key";
  const end = scanString(bytes, walk.at);
  if (end.kind !== "complete") return end;
  walk.at = end.end;
  walk.keys += isKey ? 1 : 0;
  walk.values += isKey ? 0 : 1;
  walk.expect = isKey ? "colon" : afterValue(walk.depth);
  return undefined;
}

function failScan(walk: Walk): ScanResult {
  return { kind: "invalid", at: walk.at, lastString: walk.lastString };
}

function afterValue(depth: number): Expect {
  return depth === 0 ? "end" : "comma";
}

export function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  for (;;) {
    const byte = bytes[at];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return at;
    at += 1;
  }
}

function scanString(bytes: Uint8Array, quote: number): ScanResult {
  let at = quote + 1;
  for (;;) {
    const byte = bytes[at];
    if (byte === undefined) return { kind: "truncated" };
    if (byte === QUOTE) return { kind: "complete", end: at + 1, keys: 0 };
    if (byte < 0x20) return { kind: "invalid", at, lastString: quote };
    if (byte === BACKSLASH) {
      const length = escapeLength(bytes, at);
      if (length === "truncated") return { kind: "truncated" };
      if (length === "invalid") return { kind: "invalid", at, lastString: quote };
      at += length;
    } else {
      at += 1;
    }
  }
}

function escapeLength(bytes: Uint8Array, at: number): number | "truncated" | "invalid" {
  const escaped = bytes[at + 1];
  if (escaped === undefined) return "truncated";
  // " \ / b f n r t
  if ([0x22, 0x5c, 0x2f, 0x62, 0x66, 0x6e, 0x72, 0x74].includes(escaped)) return 2;
  if (escaped !== 0x75) return "invalid";
  for (let offset = 2; offset < 6; offset += 1) {
    const digit = bytes[at + offset];
    if (digit === undefined) return "truncated";
    if (!isHexDigit(digit)) return "invalid";
  }
  return 6;
}

function isHexDigit(byte: number): boolean {
  const lower = byte | 0x20;
  return (byte >= 0x30 && byte <= 0x39) || (lower >= 0x61 && lower <= 0x66);
}

const MAX_NUMBER_LENGTH = 64;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const WORDS = new Set(["true", "false", "null"]);

/** The end of a number, `true`, `false` or `null` at `from`, or undefined. */
function scanScalar(bytes: Uint8Array, from: number): number | undefined {
  const end = scalarEnd(bytes, from);
  const token = tokenText(bytes, from, end);
  return WORDS.has(token) || NUMBER.test(token) ? end : undefined;
}

/** Whether the text ends in the middle of a number or word: `tru`, `-`, `1e`. */
function endsInside(bytes: Uint8Array, from: number): boolean {
  const end = scalarEnd(bytes, from);
  if (end < bytes.length || end === from || end - from > MAX_NUMBER_LENGTH) return false;
  const token = tokenText(bytes, from, end);
  return ["true", "false", "null"].some((word) => word.startsWith(token)) || NUMBER.test(`${token}0`);
}

function scalarEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  const limit = Math.min(bytes.length, from + MAX_NUMBER_LENGTH + 1);
  while (at < limit && isScalarByte(bytes[at] ?? 0)) at += 1;
  return at;
}

function isScalarByte(byte: number): boolean {
  const lower = byte | 0x20;
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (lower >= 0x61 && lower <= 0x7a) ||
    byte === 0x2b ||
    byte === 0x2d ||
    byte === 0x2e
  );
}

function tokenText(bytes: Uint8Array, from: number, end: number): string {
  return end - from > MAX_NUMBER_LENGTH ? "" : String.fromCharCode(...bytes.subarray(from, end));
}
