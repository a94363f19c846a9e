import { cutText, padText, textWidth } from "../terminal/text-width.ts";

export interface Table {
  /** The first column is left-aligned and gives way when space is short; the others are figures. */
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly footer: readonly string[];
}

export interface TableStyle {
  readonly ascii: boolean;
  /** Columns there are; undefined for as many as it takes. */
  readonly width: number | undefined;
}

const NARROWEST_FIRST = 12;
const MAX_FIRST_WIDTH = 80;

/** A table in a box, no wider than the terminal as long as its figures fit. */
export function renderTable({ header, rows, footer }: Table, style: TableStyle): string {
  const lines = [header, ...rows, footer];
  const widths = fitWidths(columnWidths(lines), style.width);
  const { top, middle, bottom, side } = style.ascii ? asciiBox : box;
  const row = (cells: readonly string[]): string => renderRow(cells, { widths, side, ascii: style.ascii });
  return [
    rule(widths, top),
    row(header),
    rule(widths, middle),
    ...rows.map(row),
    rule(widths, middle),
    row(footer),
    rule(widths, bottom),
  ].join("\n");
}

const box = { top: "┌─┬┐", middle: "├─┼┤", bottom: "└─┴┘", side: "│" } as const;
const asciiBox = { top: "+-++", middle: "+-++", bottom: "+-++", side: "|" } as const;

function columnWidths(lines: readonly (readonly string[])[]): readonly number[] {
  const widths: number[] = [];
  for (const line of lines) {
    for (const [column, cell] of line.entries())
      widths[column] = Math.max(widths[column] ?? 0, textWidth(cell));
  }
  return widths;
}

/** Every cell has a blank on both sides and a line at its left; one more line ends the row. */
const PADDING = 3;

function fitWidths(widths: readonly number[], available = Number.POSITIVE_INFINITY): readonly number[] {
  const [first = 0, ...figures] = widths;
  const taken = figures.reduce((sum, width) => sum + width + PADDING, PADDING + 1);
  const room = Math.max(NARROWEST_FIRST, Math.min(MAX_FIRST_WIDTH, available - taken));
  return [Math.min(first, room), ...figures];
}

function rule(widths: readonly number[], marks: string): string {
  const [left = "", line = "", cross = "", right = ""] = marks;
  return left + widths.map((width) => line.repeat(width + 2)).join(cross) + right;
}

function renderRow(
  cells: readonly string[],
  { widths, side, ascii }: { widths: readonly number[]; side: string; ascii: boolean },
): string {
  const padded = widths.map((width, column) => {
    const cell = cutText(cells[column] ?? "", width, ascii);
    return ` ${padText(cell, width, column === 0 ? "left" : "right")} `;
  });
  return `${side}${padded.join(side)}${side}`;
}
