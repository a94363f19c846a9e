import { readFileEnd } from "../../base/files.ts";
import { safeText } from "../../base/safe-text.ts";
import { findFailure, listFailingTests } from "./failing-tests.ts";

const MAX_TAIL_LENGTH = 2000;
const MAX_LINE_LENGTH = 160;
const MAX_FAILURE_LENGTH = 1200;
/** Enough for the failures that a test runner reports above its summary. */
const MAX_READ_BYTES = 1024 * 1024;
const REPLACEMENT = "\u{fffd}";
const COLOR = new RegExp(String.raw`\u{1b}\[[0-9;]{0,20}m`, "gu");
const OMISSION = "\n…\n";

export interface CheckOutput {
  /** The end of the output, safe to show; where the first failure is above it, that comes first. */
  readonly excerpt: string;
  readonly failingTests: readonly string[];
}

/** Reads what people need of the output of a check; empty if it cannot be read. */
export function readCheckOutput(path: string, hasFailed: boolean): CheckOutput {
  const text = readOutputEnd(path).trimEnd();
  const shown = Array.from(showControls(text.slice(-MAX_TAIL_LENGTH * 4)));
  const tail = shown.slice(-MAX_TAIL_LENGTH).join("");
  if (!hasFailed) return { excerpt: tail, failingTests: [] };
  return { excerpt: addFailure(text, tail), failingTests: listFailingTests(text).map(safeText) };
}

/** The end of the output without colours, to be searched; nothing in it is safe to show. */
export function readOutputEnd(path: string): string {
  return removeColors(readEndOfFile(path, MAX_READ_BYTES));
}

/** The last line that is not blank, for a glance while the check still runs. */
export function readNewestLine(path: string): string {
  const lines = removeColors(readEndOfFile(path, MAX_TAIL_LENGTH)).split(/[\r\n]/);
  return shortenLine(safeText((lines.findLast((line) => line.trim() !== "") ?? "").trim()));
}

/** The newest part of a progress bar that never breaks its line is at the end. */
function shortenLine(line: string): string {
  const characters = Array.from(line);
  if (characters.length <= MAX_LINE_LENGTH) return line;
  const half = MAX_LINE_LENGTH / 2;
  return `${characters.slice(0, half).join("")} … ${characters.slice(-half).join("")}`;
}

function addFailure(text: string, tail: string): string {
  const failure = showControls(findFailure(text) ?? "")
    .trimEnd()
    .slice(0, MAX_FAILURE_LENGTH);
  if (failure === "" || tail.includes(failure)) return tail;
  const room = MAX_TAIL_LENGTH - failure.length - OMISSION.length;
  return `${failure}${OMISSION}${tail.slice(-room)}`;
}

/** Evidence is only for people; the verdict does not need it, so a file that cannot be read gives none. */
function readEndOfFile(path: string, maxBytes: number): string {
  const end = readFileEnd(path, maxBytes);
  const text = end?.bytes.toString("utf8") ?? "";
  return end !== undefined && end.start > 0 ? dropBrokenStart(text) : text;
}

/** The cut may go through a character. */
function dropBrokenStart(text: string): string {
  let from = 0;
  while (from < 3 && text.startsWith(REPLACEMENT, from)) from += 1;
  return text.slice(from);
}

/** Colours of a test runner would hide what a line says. Other control characters stay, to be shown. */
function removeColors(text: string): string {
  return text.replaceAll(COLOR, "");
}

/** Shows escape codes, control and invisible characters as `\x1b` or `\u{200b}`; line ends and tabs stay. */
export function showControls(text: string): string {
  return Array.from(text.replaceAll("\r\n", "\n"), (character) => {
    if (character === "\n" || character === "\t" || safeText(character) === character) return character;
    const code = character.codePointAt(0) ?? 0;
    const hex = code.toString(16);
    return code <= 0xff ? `\\x${hex.padStart(2, "0")}` : `\\u{${hex}}`;
  }).join("");
}
