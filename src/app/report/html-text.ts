import { visibleText } from "../../base/visible-text.ts";

const entities: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"],
]);

/** A text as it is written: no tag, attribute or direction mark comes out of it. */
export function escapeHtml(text: string): string {
  let escaped = "";
  for (const character of visibleText(text)) escaped += entities.get(character) ?? character;
  return escaped;
}

/** A table of texts; the named columns are numbers. */
export function renderTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  numbers: ReadonlySet<number> = new Set(),
): string {
  const cell = (tag: "td" | "th") => (text: string, index: number) =>
    `<${tag}${numbers.has(index) ? ' class="number"' : ""}>${escapeHtml(text)}</${tag}>`;
  const lines = rows.map((row) => `<tr>${row.map(cell("td")).join("")}</tr>`);
  return [
    `<table><thead><tr>${head.map(cell("th")).join("")}</tr></thead><tbody>`,
    ...lines,
    "</tbody></table>",
  ].join("\n");
}
