import { textWidth } from "../terminal/text-width.ts";

const HANGING = "  ";

/**
 * Folds sentences at blanks where they are wider than a terminal, which would break them inside a word. Commands stay on
 * one line, to be copied; so does a line with colours.
 */
export function foldLines(text: string, width: number | undefined): string {
  if (width === undefined) return text;
  return text
    .split("\n")
    .flatMap((line) => (isFoldable(line) && textWidth(line) > width ? foldLine(line, width) : [line]))
    .join("\n");
}

function isFoldable(line: string): boolean {
  return !line.includes("\u001B") && !/\bambit [a-z]/.test(line);
}

function foldLine(line: string, width: number): readonly string[] {
  const start = line.length - line.trimStart().length;
  const indent = line.slice(0, start) + HANGING;
  const lines: string[] = [];
  let current = line.slice(0, start);
  let hasWord = false;
  // The blanks between words stay, since columns may be aligned with them.
  for (const [word] of line.slice(start).matchAll(/\S+ */g)) {
    if (hasWord && textWidth(current + word.trimEnd()) > width) {
      lines.push(current.trimEnd());
      current = indent;
    }
    current += word;
    hasWord = true;
  }
  return [...lines, current.trimEnd()];
}
