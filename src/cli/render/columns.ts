import { padText, textWidth } from "../terminal/text-width.ts";

/** Left-aligned columns, two spaces apart, as wide as their widest cell; no trailing blanks. */
export function renderColumns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries())
      widths[column] = Math.max(widths[column] ?? 0, textWidth(cell));
  }
  const lines = rows.map((row) =>
    row.map((cell, column) => padText(cell, widths[column] ?? 0, "left")).join("  "),
  );
  return lines.map((line) => line.trimEnd()).join("\n");
}
