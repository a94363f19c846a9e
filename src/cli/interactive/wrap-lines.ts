import { safeText } from "../../base/safe-text.ts";
import { textWidth } from "../terminal/text-width.ts";

const MAX_LINE_LENGTH = 4000;
const TAB = "    ";

/** Turns a worker's output into rows of a terminal: its sequences are removed and long lines continue below. */
export function wrapOutput(lines: readonly string[], width: number): readonly string[] {
  return lines.flatMap((line) => wrapPlain(makeSafe(line), width));
}

function makeSafe(line: string): string {
  const cut = line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)} (cut)` : line;
  return safeText(cut.replaceAll("\t", TAB));
}

/** Breaks a text without colours at the width. */
export function wrapPlain(text: string, width: number): readonly string[] {
  const room = Math.max(1, width);
  if (textWidth(text) <= room) return [text];
  const rows: string[] = [];
  let row = "";
  let used = 0;
  for (const character of text) {
    const columns = textWidth(character);
    if (used + columns > room) {
      rows.push(row);
      row = "";
      used = 0;
    }
    row += character;
    used += columns;
  }
  return [...rows, row];
}
