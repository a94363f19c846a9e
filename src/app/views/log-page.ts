import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import type { Delegation } from "../../journal/store.ts";
import { redactCredentials } from "../../redaction/redact.ts";
import { nameAttemptFiles } from "../../orchestrator/attempt-files.ts";
import { join } from "node:path";
import type { LogPage, LogStream } from "./types/delegation.ts";

export interface LogQuestion {
  readonly attempt: number | undefined;
  readonly stream: LogStream;
  /** Bytes: what follows `from`, or what comes before `to`; the end where neither is given. */
  readonly from: number | undefined;
  readonly to: number | undefined;
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
  const piece = readPiece(path, { ...question, isLive });
  return { attempt, stream, ...piece, isLive };
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

/** A worker may put a link or a pipe in place of its log: only a plain file is read. */
function readPiece(path: string, { from, to, isLive }: LogQuestion & { readonly isLive: boolean }): Piece {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    // It has not begun yet, or its logs were cleaned up.
    return nothing;
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) return nothing;
    const { size } = stat;
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
