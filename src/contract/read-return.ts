import { findLastObject, type FoundObject } from "../base/find-json-object.ts";

/** Caps that apply before anything is parsed. */
export const returnCaps = {
  bytes: 1024 * 1024,
  depth: 32,
  values: 10_000,
  artifacts: 1000,
  errors: 100,
} as const;

/** The JSON found in a worker's output, parsed but not yet judged. */
export type ReadReturn =
  | {
      readonly kind: "object";
      readonly value: object;
      readonly encodingRepaired: boolean;
      /** Nothing but space and the end of a code fence follows it. */
      readonly isAtEnd: boolean;
    }
  | { readonly kind: "problem"; readonly code: string; readonly message: string };

export interface ReadOptions {
  /** The size of the source when only its beginning was read. */
  readonly totalBytes?: number;
  readonly session?: string;
}

/**
 * Finds and parses the return in bytes from a file, a tool call or a final message.
 * Total and linear: any bytes of any size give an answer, never an exception.
 */
export function readReturn(bytes: Uint8Array, options: ReadOptions = {}): ReadReturn {
  const size = options.totalBytes ?? bytes.length;
  if (size > returnCaps.bytes) {
    return buildProblem("TOO_LARGE", `Return is too large: ${size} bytes (max ${returnCaps.bytes})`);
  }
  const found = findReturn(bytes, options.session);
  switch (found.kind) {
    case "found":
      return parseObject(bytes, found.object);
    case "truncated":
      return buildProblem("TRUNCATED", "Return is cut off: the JSON object never ends");
    case "too-deep":
      return buildProblem("TOO_DEEP", `Return is nested too deeply (max ${returnCaps.depth} levels)`);
    case "too-many":
      return buildProblem("TOO_LARGE", `Return has more than ${returnCaps.values} values`);
    case "other-value":
      return buildProblem("NOT_AN_OBJECT", "Return must be JSON object");
    case "none":
      return buildProblem("NOT_JSON", "Cannot parse return as JSON");
  }
}

type Found = ReturnType<typeof findLastObject>;

const encoder = new TextEncoder();
const STATUS = encoder.encode('"status"');

/**
 * In a text with several objects the last one with a status and our session id is the return. If none has our id, the
 * last one with a status is judged, so that the reason names the wrong session.
 */
function findReturn(bytes: Uint8Array, session: string | undefined): Found {
  const withStatus = {
    maxDepth: returnCaps.depth,
    maxValues: returnCaps.values,
    carrying: [STATUS],
    meant: [STATUS],
  };
  if (session === undefined) return findLastObject(bytes, withStatus);
  const ours = findLastObject(bytes, { ...withStatus, carrying: [STATUS, encoder.encode(session)] });
  return ours.kind === "none" ? findLastObject(bytes, withStatus) : ours;
}

function parseObject(bytes: Uint8Array, object: FoundObject): ReadReturn {
  const slice = bytes.subarray(object.start, object.end);
  const text = new TextDecoder().decode(slice);
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null)
    return buildProblem("NOT_AN_OBJECT", "Return must be JSON object");
  if (countKeys(value) !== object.keys) {
    return buildProblem("DUPLICATE_KEY", "Return has the same key twice in one object");
  }
  if (!isFinite(value))
    return buildProblem("INVALID_FIELD:number", "Return holds a number too large to keep");
  const isAtEnd = bytes.subarray(object.end).every((byte) => trailing.has(byte));
  return { kind: "object", value, encodingRepaired: text.includes("\uFFFD"), isAtEnd };
}

const trailing: ReadonlySet<number> = new Set(encoder.encode(" \t\r\n`"));

function countKeys(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const values = Object.values(value);
  const own = Array.isArray(value) ? 0 : values.length;
  return values.reduce((sum: number, child) => sum + countKeys(child), own);
}

/** `1e400` parses to infinity, which JSON cannot store again. */
function isFinite(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  return typeof value !== "object" || value === null || Object.values(value).every(isFinite);
}

function buildProblem(code: string, message: string): ReadReturn {
  return { kind: "problem", code, message };
}
