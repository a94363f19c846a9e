const MAX_WIDTH = 80;

/** Words on as few lines as possible, of 80 columns by default; a longer word gets a line of its own. */
export function wrapWords(
  words: readonly string[],
  {
    first,
    indent,
    width = MAX_WIDTH,
  }: { readonly first: string; readonly indent: string; readonly width?: number },
): string[] {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of words) {
    if (!isEmpty && line.length + word.length > width) {
      lines.push(line.trimEnd());
      line = indent;
    }
    line += `${word} `;
    isEmpty = false;
  }
  return [...lines, line.trimEnd()];
}
