import { closeSync, fstatSync, lstatSync, readSync } from "node:fs";
import { openWithoutFollowing } from "../../base/files.ts";
import type { Delegation } from "../../journal/store.ts";
import { redactCredentials } from "../../redaction/redact.ts";
import { nameAttemptFiles } from "../../orchestrator/attempt-files.ts";
import { join } from "node:path";
import { readLineTimes } from "../../containment/read-line-times.ts";
import { findColours, removeColours } from "./log-colours.ts";
import type { LogPage, LogStream } from "./types/delegation.ts";

export interface LogQuestion {
  readonly attempt: number | undefined;
  readonly stream: LogStream;
  /** Bytes: what follows `from`, or what comes before `to`; the end where neither is given. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** The piece in which this line is. */
  readonly line?: number | undefined;
  /** The number of the first line after `from`, for one who has read the lines before. */
  readonly first?: number | undefined;
}

const MAX_PAGE_BYTES = 64 * 1024;
const LINE_FEED = 0x0a;

/** A piece of what an attempt wrote, in whole lines where they are not longer than a page. */
export function readLogPage(stateDirectory: string, delegation: Delegation, question: LogQuestion): LogPage {
  const attempt = question.attempt ?? Math.max(1, delegation.attempt);
  const files = nameAttemptFiles(stateDirectory, { id: delegation.id, attempt });
  const { stream } = question;
  const path = stream === "prompt" ? files.prompt : join(files.directory, stream);
  const isLive = stream !== "prompt" && attempt === delegation.attempt && delegation.state !== "closed";
  const { line } = question;
  const start = line === undefined ? undefined : findLineStart(path, Math.max(1, line - LINES_BEFORE));
  const piece = readPiece(path, { ...question, ...(start === undefined ? {} : { from: start }), isLive });
  const isCounted = line !== undefined || question.from === undefined;
  const firstLine = question.first ?? (isCounted ? countLines(path, piece.from) + 1 : 0);
  const range = { first: firstLine, last: firstLine + piece.lines.length - 1 };
  const times = firstLine === 0 || stream === "prompt" ? [] : readLineTimes(path, range);
  const [lines, colours] = [removeColours(piece.lines), findColours(piece.lines)];
  return { attempt, stream, ...piece, lines, colours, times, firstLine, isLive };
}

/** All that an attempt wrote, with credentials removed, piece by piece. */
export function streamLog(
  stateDirectory: string,
  delegation: Delegation,
  question: LogQuestion,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let from = 0;
  return new ReadableStream({
    pull: (controller) => {
      const page = readLogPage(stateDirectory, delegation, {
        ...question,
        line: undefined,
        from,
        to: undefined,
      });
      if (page.lines.length > 0) controller.enqueue(encoder.encode(`${page.lines.join("\n")}\n`));
      if (page.to <= from || page.to >= page.size) controller.close();
      from = page.to;
    },
  });
}

/** A line that is linked to is shown with some before it. */
const LINES_BEFORE = 20;
const SCAN_BYTES = 1024 * 1024;

/** How many lines end before a byte. */
function countLines(path: string, end: number): number {
  let count = 0;
  for (const _at of listLineEnds(path, end)) count += 1;
  return count;
}

/** The byte at which a line begins; that of the last one there is, if it has fewer. */
function findLineStart(path: string, line: number): number {
  let start = 0;
  let left = line - 1;
  if (left === 0) return 0;
  for (const at of listLineEnds(path, Number.MAX_SAFE_INTEGER)) {
    start = at + 1;
    left -= 1;
    if (left === 0) break;
  }
  return start;
}

/** The places of the line feeds before `end`. */
function* listLineEnds(path: string, end: number): Generator<number, void> {
  const file = openPlainFile(path);
  if (file === undefined) return;
  const bytes = Buffer.alloc(SCAN_BYTES);
  try {
    for (let offset = 0; offset < end;) {
      const got = readSync(file, bytes, 0, Math.min(bytes.length, end - offset), offset);
      if (got === 0) return;
      const piece = bytes.subarray(0, got);
      for (let at = piece.indexOf(LINE_FEED); at !== -1; at = piece.indexOf(LINE_FEED, at + 1))
        yield offset + at;
      offset += got;
    }
  } finally {
    closeSync(file);
  }
}

/** A worker may put a link or a pipe in place of its log: only a plain file is read. */
function openPlainFile(path: string): number | undefined {
  let file: number;
  try {
    file = openWithoutFollowing(path);
  } catch {
    // It has not begun yet, or its logs were cleaned up.
    return undefined;
  }
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  return undefined;
}

const MAX_TAIL_BYTES = 4096;
/** A line that an agent's program writes for Ambit, not for people. */
const PROTOCOL = /^\{"ambit":/;

/** The newest line that an attempt wrote, and when it wrote last; undefined before its log exists. */
export function readNewestOutput(
  stateDirectory: string,
  attempt: { readonly id: string; readonly attempt: number },
): { readonly line: string; readonly atMs: number } | undefined {
  const { directory } = nameAttemptFiles(stateDirectory, attempt);
  const times = ["stdout", "stderr"].map((name) => readChangeTime(join(directory, name)));
  const atMs = Math.max(...times);
  if (atMs === 0) return undefined;
  const newest = join(directory, times[0] === atMs ? "stdout" : "stderr");
  const range = { attempt: undefined, stream: "stdout", to: undefined, isLive: true } as const;
  const from = Math.max(0, readSize(newest) - MAX_TAIL_BYTES);
  const { lines } = readPiece(newest, { ...range, from });
  // The beginning of a cut line is missing, so what is secret in it could not be recognized.
  const whole = from === 0 ? lines : lines.slice(1);
  const line = whole.findLast((text) => text.trim() !== "" && !PROTOCOL.test(text)) ?? "";
  return { line, atMs };
}

function readChangeTime(path: string): number {
  return lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function readSize(path: string): number {
  return lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

type Piece = Pick<LogPage, "lines" | "from" | "to" | "size">;

function readPiece(path: string, { from, to, isLive }: LogQuestion & { readonly isLive: boolean }): Piece {
  const file = openPlainFile(path);
  if (file === undefined) return nothing;
  try {
    const { size } = fstatSync(file);
    const end = Math.min(size, to ?? (from === undefined ? size : from + MAX_PAGE_BYTES));
    const start = Math.min(end, from ?? Math.max(0, end - MAX_PAGE_BYTES));
    const bytes = Buffer.alloc(end - start);
    const got = bytes.subarray(0, readSync(file, bytes, 0, bytes.length, start));
    const isEnd = start + got.length >= size && !isLive;
    return cutAtLines(got, { start, size, isEnd, isWholeStart: from !== undefined || start === 0 });
  } finally {
    closeSync(file);
  }
}

const nothing: Piece = { lines: [], from: 0, to: 0, size: 0 };

interface Place {
  readonly start: number;
  readonly size: number;
  /** Nothing will be written after it. */
  readonly isEnd: boolean;
  readonly isWholeStart: boolean;
}

/** The half of a line at either end is left to the neighbouring page, unless it fills the page or is the last. */
function cutAtLines(bytes: Buffer, { start, size, isEnd, isWholeStart }: Place): Piece {
  const isFull = bytes.length >= MAX_PAGE_BYTES;
  const firstEnd = bytes.indexOf(LINE_FEED) + 1;
  const lastEnd = bytes.lastIndexOf(LINE_FEED) + 1;
  const end = isEnd || (lastEnd === 0 && isFull) ? bytes.length : lastEnd;
  const isOneLine = firstEnd === 0 || firstEnd >= end;
  const begin = isWholeStart || (isOneLine && isFull) ? 0 : Math.min(firstEnd, end);
  const { text } = redactCredentials(bytes.toString("utf8", begin, end));
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return { lines, from: start + begin, to: start + end, size };
}
