import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ScanResult, scanJson } from "../../base/json-scanner.ts";
import { taskErrors } from "../../errors/tasks.ts";
import { isRecord } from "../../base/json.ts";

/** A list of thousands of tasks has a few megabytes; a larger file is something else. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** The text of a task file; undefined if it does not exist. `path` is relative to `root`. */
export function readTaskFile(root: string, path: string): string | undefined {
  const descriptor = openIfPresent(join(root, path));
  if (descriptor === undefined) return undefined;
  try {
    const { size } = fstatSync(descriptor);
    if (size > MAX_FILE_BYTES) throw taskErrors.fileTooLarge(path, size, MAX_FILE_BYTES);
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}

/** Parses a JSON object; an error names the place where the text is not JSON. */
export function parseJsonFile(text: string, path: string): Readonly<Record<string, unknown>> {
  const value = parseJsonText(text.startsWith("\u{feff}") ? text.slice(1) : text, path);
  if (isRecord(value)) return value;
  throw taskErrors.fileBroken(path, "its content is not a JSON object");
}

/** Refuses a file that git left in the middle of a merge. */
export function refuseConflictMarkers(text: string, path: string): void {
  const line = findConflictLine(text);
  if (line !== undefined) throw taskErrors.fileInConflict(path, line);
}

function openIfPresent(file: string): number | undefined {
  try {
    return openSync(file, "r");
  } catch (error) {
    if (isRecord(error) && (error["code"] === "ENOENT" || error["code"] === "ENOTDIR")) return undefined;
    throw error;
  }
}

function parseJsonText(text: string, path: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    // The parser's error does not always name the place, so describePlace finds it.
    refuseConflictMarkers(text, path);
    throw taskErrors.fileBroken(path, `it is not valid JSON (${describePlace(text)})`);
  }
}

/** The line where the text stops being valid JSON. */
function describePlace(text: string): string {
  if (text.trim() === "") return "it is empty";
  const bytes = Buffer.from(text, "utf8");
  const found = scanJson(bytes, 0, { maxDepth: MAX_DEPTH, maxValues: Number.POSITIVE_INFINITY });
  if (found.kind === "truncated") return "it ends in the middle";
  if (found.kind === "too-deep") return `it is nested deeper than ${MAX_DEPTH} levels`;
  const at = findErrorOffset(found, bytes);
  return `line ${bytes.subarray(0, at).toString("utf8").split("\n").length}`;
}

const MAX_DEPTH = 1000;

function findErrorOffset(found: ScanResult, bytes: Buffer): number {
  if (found.kind === "invalid") return found.at;
  if (found.kind !== "complete") return 0;
  const rest = bytes.subarray(found.end).toString("utf8");
  return found.end + rest.length - rest.trimStart().length;
}

/** The line of the first of all three markers, each at the beginning of a line and in order. */
function findConflictLine(text: string): number | undefined {
  const first = findLineStart(text, "<<<<<<< ", 0);
  if (first === -1) return undefined;
  const middle = findLineStart(text, "=======", first);
  if (middle === -1 || findLineStart(text, ">>>>>>> ", middle) === -1) return undefined;
  return text.slice(0, first).split("\n").length;
}

function findLineStart(text: string, start: string, from: number): number {
  if (from === 0 && text.startsWith(start)) return 0;
  const found = text.indexOf(`\n${start}`, from);
  return found === -1 ? -1 : found + 1;
}
