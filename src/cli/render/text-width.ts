/** Columns a text takes in a terminal: wide letters and emoji two, marks that combine with a letter none. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

/** Cuts a text to a width, with `…` (or `...`) for what is missing. */
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

/** Ranges that terminals draw over two columns: East Asian letters and signs, emoji. */
const wideRanges: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd],
];

const combining = /^\p{M}$/u;
const emoji = /^\p{Emoji_Presentation}$/u;

function characterWidth(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x300) return 1;
  if (combining.test(character)) return 0;
  const isWide = wideRanges.some(([first, last]) => code >= first && code <= last);
  return isWide || emoji.test(character) ? 2 : 1;
}
