import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { safeText } from "../../base/safe-text.ts";

const MAX_TAIL_LENGTH = 2000;
const MAX_READ_BYTES = MAX_TAIL_LENGTH * 4;
const REPLACEMENT = "\u{fffd}";

/** The end of the output of a check, safe to show; empty if it cannot be read. */
export function readOutputTail(path: string): string {
  let descriptor: number;
  try {
    // The check runs as the same user and could have put a link or a pipe there.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    // Evidence is only for people; the verdict does not need it.
    return "";
  }
  try {
    const { size } = fstatSync(descriptor);
    const bytes = Buffer.alloc(Math.min(size, MAX_READ_BYTES));
    const read = readSync(descriptor, bytes, 0, bytes.length, size - bytes.length);
    return cutOutputTail(bytes.subarray(0, read).toString("utf8"), size > MAX_READ_BYTES);
  } catch {
    return "";
  } finally {
    closeSync(descriptor);
  }
}

function cutOutputTail(text: string, isCut: boolean): string {
  const whole = isCut ? dropBrokenStart(text) : text;
  const characters = Array.from(showControls(whole).trimEnd());
  return characters.slice(-MAX_TAIL_LENGTH).join("");
}

/** The cut may go through a character. */
function dropBrokenStart(text: string): string {
  let from = 0;
  while (from < 3 && text.startsWith(REPLACEMENT, from)) from += 1;
  return text.slice(from);
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
