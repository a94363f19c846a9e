import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { safeText } from "../../base/safe-text.ts";

const LONGEST_TAIL = 2000;
const MOST_BYTES = LONGEST_TAIL * 4;
const REPLACEMENT = "\u{fffd}";

/** The end of what a check wrote, harmless to show; empty when nobody can read it. */
export function readOutputTail(path: string): string {
  let descriptor: number;
  try {
    // The check runs as the same user and could have put a link or a pipe there.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    // Evidence is for people; without it the verdict stays the same.
    return "";
  }
  try {
    const { size } = fstatSync(descriptor);
    const bytes = Buffer.alloc(Math.min(size, MOST_BYTES));
    const read = readSync(descriptor, bytes, 0, bytes.length, size - bytes.length);
    return endOf(bytes.subarray(0, read).toString("utf8"), size > MOST_BYTES);
  } catch {
    return "";
  } finally {
    closeSync(descriptor);
  }
}

function endOf(text: string, isCut: boolean): string {
  const whole = isCut ? dropBrokenStart(text) : text;
  const characters = Array.from(showControls(whole).trimEnd());
  return characters.slice(-LONGEST_TAIL).join("");
}

/** The cut may go through a character. */
function dropBrokenStart(text: string): string {
  let from = 0;
  while (from < 3 && text.startsWith(REPLACEMENT, from)) from += 1;
  return text.slice(from);
}

/** Escape codes, control and invisible characters as `\x1b` or `\u{200b}`; lines and tabs stay what they are. */
export function showControls(text: string): string {
  return Array.from(text.replaceAll("\r\n", "\n"), (character) => {
    if (character === "\n" || character === "\t" || safeText(character) === character) return character;
    const code = character.codePointAt(0) ?? 0;
    const hex = code.toString(16);
    return code <= 0xff ? `\\x${hex.padStart(2, "0")}` : `\\u{${hex}}`;
  }).join("");
}
