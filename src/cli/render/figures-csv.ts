import { renderCsv, type CsvCell } from "./csv.ts";

/** Figures under the names they have in JSON: one line of names, one line per set of figures. */
export function renderFiguresCsv(figures: readonly object[]): string {
  const [first = {}] = figures;
  const rows = figures.map((one) => Object.values(one).map(cellOf));
  return renderCsv(Object.keys(first), rows);
}

function cellOf(value: unknown): CsvCell {
  const isPlain = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return isPlain ? value : null;
}
