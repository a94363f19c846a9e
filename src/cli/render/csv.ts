import { safeText } from "../../base/safe-text.ts";

/** A text is quoted and kept from being computed; numbers and flags are written as they are. */
export type CsvCell = string | number | boolean | null;

/** One line of names, then one per row. Reads the same in every spreadsheet, whatever the texts hold. */
export function renderCsv(columns: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [columns, ...rows].map((cells) => `${cells.map(renderCell).join(",")}\n`).join("");
}

function renderCell(cell: CsvCell): string {
  if (typeof cell === "string") return textCell(cell);
  return cell === null ? "" : String(cell);
}

/** Figures under the names they have in JSON: one line of names, one line per set of figures. */
export function renderFiguresCsv(figures: readonly object[]): string {
  const [first = {}] = figures;
  const rows = figures.map((one) => Object.values(one).map(readCell));
  return renderCsv(Object.keys(first), rows);
}

function readCell(value: unknown): CsvCell {
  const isPlain = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return isPlain ? value : null;
}

/** Characters that begin a formula in a spreadsheet, in both widths. */
const formulaStart = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/;

/** A text that begins like a formula would be computed by a spreadsheet; the apostrophe keeps it text. */
function textCell(text: string): string {
  const safe = safeText(text);
  const inert = formulaStart.test(safe) ? `'${safe}` : safe;
  return /[",;]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

/** Dollars with all six places: rounding is the reader's choice. */
export function exactUsd(dollars: number): string {
  const microUsd = Math.round(dollars * 1_000_000);
  return `${Math.floor(microUsd / 1_000_000)}.${String(microUsd % 1_000_000).padStart(6, "0")}`;
}
