import { eastAsianWidth } from "get-east-asian-width";

/** The columns of a text in a terminal: wide letters and emoji take two, combining marks none. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

/** Cuts a text to a width, with `…` (or `...`) for the rest. */
export function cutText(text: string, width: number, ascii = false): string {
  if (textWidth(text) <= width) return text;
  const ellipsis = ascii ? "..." : "…";
  if (width <= ellipsis.length) return ellipsis.slice(0, Math.max(0, width));
  let cut = "";
  let room = width - ellipsis.length;
  for (const character of text) {
    room -= characterWidth(character);
    if (room < 0) break;
    cut += character;
  }
  return cut + ellipsis;
}

export function padText(text: string, width: number, align: "left" | "right"): string {
  const blanks = " ".repeat(Math.max(0, width - textWidth(text)));
  return align === "left" ? text + blanks : blanks + text;
}

const combiningMark = /^\p{M}$/u;

function characterWidth(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x300) return 1;
  return combiningMark.test(character) ? 0 : eastAsianWidth(code);
}
