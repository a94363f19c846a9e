import type { Environment } from "./terminal.ts";

export interface AsciiFacts {
  /** True with `--ascii`. */
  readonly wanted: boolean;
  readonly environment: Environment;
}

/**
 * A locale without UTF-8 means a terminal that shows boxes for our glyphs. Without any locale nothing is known: containers
 * have none, and the terminals around them show UTF-8.
 */
export function chooseAscii({ wanted, environment }: AsciiFacts): boolean {
  if (wanted) return true;
  const locale = ["LC_ALL", "LC_CTYPE", "LANG"].map((name) => environment[name]).find(Boolean);
  return locale !== undefined && !/utf-?8/i.test(locale);
}

const ascii: Readonly<Record<string, string>> = {
  "…": "...",
  "→": "->",
  "·": "-",
  "•": "*",
  "–": "-",
  "—": "-",
  "−": "-",
  "×": "x",
  "‘": "'",
  "’": "'",
  "“": '"',
  "”": '"',
  "„": '"',
  "«": '"',
  "»": '"',
  "‹": "<",
  "›": ">",
  "✔": "+",
  "✖": "x",
  "✗": "x",
  "✘": "x",
  "⚠": "!",
  ℹ: "i",
  "↑": "^",
  "↓": "v",
  "●": "*",
  "◌": ".",
  "◐": "-",
  "◑": ">",
  "◕": "=",
  "◔": "~",
  "◼": "#",
  "⊘": "o",
  "│": "|",
  "─": "-",
  "├": "|",
  "└": "`",
  "┌": "+",
  "┐": "+",
  "┘": "+",
  "┤": "|",
  "┬": "+",
  "┴": "+",
  "┼": "+",
};
const glyphs = new RegExp(`[${Object.keys(ascii).join("")}]`, "gu");

/** Replaces the glyphs that Ambit prints; letters of people and projects stay as they are. */
export function replaceGlyphs(text: string): string {
  return text.replaceAll(glyphs, (glyph) => ascii[glyph] ?? glyph);
}
