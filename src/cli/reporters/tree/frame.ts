import { textWidth } from "../../render/text-width.ts";

const ESCAPE = "\u001B[";
const hideCursor = `${ESCAPE}?25l`;
const showCursor = `${ESCAPE}?25h`;
const wrapOff = `${ESCAPE}?7l`;
const wrapOn = `${ESCAPE}?7h`;
const eraseLine = `${ESCAPE}K`;
const eraseBelow = `${ESCAPE}J`;

/**
 * Draws lines over those drawn before. One text leaves the cursor visible below the lines and wrapping on, so that
 * whatever ends this process, even at this moment, leaves a terminal that works.
 */
export function drawOver(before: readonly string[], lines: readonly string[], columns: number): string {
  const body = lines.join(`${eraseLine}\n`);
  return `${hideCursor}${goUp(rowsTaken(before, columns))}${wrapOff}${body}${eraseBelow}${wrapOn}${showCursor}\n`;
}

/** Takes the lines away and writes a text in their place. */
export function writeOver(before: readonly string[], text: string, columns: number): string {
  return `${goUp(rowsTaken(before, columns))}${eraseBelow}${text}\n`;
}

function goUp(rows: number): string {
  return `\r${rows === 0 ? "" : `${ESCAPE}${rows}A`}`;
}

/** A terminal made narrower since has broken long lines in two or more. */
function rowsTaken(lines: readonly string[], columns: number): number {
  const rows = lines.map((line) => Math.ceil(textWidth(withoutColor(line)) / Math.max(1, columns)));
  return rows.reduce((sum, taken) => sum + Math.max(1, taken), 0);
}

function withoutColor(line: string): string {
  return line
    .split(ESCAPE)
    .map((part, index) => (index === 0 ? part : part.slice(part.indexOf("m") + 1)))
    .join("");
}
