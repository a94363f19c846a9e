import { textWidth } from "../../terminal/text-width.ts";

const ESCAPE = "\u001B[";
/** A terminal that knows this shows a frame at once, whole; others ignore it. */
const beginFrame = `${ESCAPE}?2026h`;
const endFrame = `${ESCAPE}?2026l`;
const hideCursor = `${ESCAPE}?25l`;
const showCursor = `${ESCAPE}?25h`;
const wrapOff = `${ESCAPE}?7l`;
const wrapOn = `${ESCAPE}?7h`;
const eraseLine = `${ESCAPE}K`;
const eraseBelow = `${ESCAPE}J`;

/** Lines right above the cursor, and how wide the terminal was when they were drawn. */
export interface Drawn {
  readonly lines: readonly string[];
  readonly columns: number;
}

export const nothingDrawn: Drawn = { lines: [], columns: 0 };

/**
 * Draws lines over those drawn before, and touches only what has changed. One text leaves the cursor visible below the
 * lines and wrapping on, so that whatever ends this process, even at this moment, leaves a terminal that works.
 */
export function drawOver(before: Drawn, { lines, columns }: Drawn): string {
  // In a terminal of another width the old lines may be broken: nothing of them can be kept.
  const kept = before.columns === columns ? before.lines : [];
  const last = lines.length - 1;
  // The last one is always written: what is erased after it is all that may be left below.
  const rows = lines.map((line, row) =>
    line === kept[row] && row < last ? "" : line + (row < last ? eraseLine : ""),
  );
  const start = `${beginFrame}${hideCursor}${goUp(rowsTaken(before.lines, columns))}${wrapOff}`;
  return `${start}${rows.join("\n")}${eraseBelow}${wrapOn}${showCursor}${endFrame}\n`;
}

/** Takes the lines away and writes a text in their place. */
export function writeOver({ lines }: Drawn, text: string, columns: number): string {
  return `${goUp(rowsTaken(lines, columns))}${eraseBelow}${text}\n`;
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
