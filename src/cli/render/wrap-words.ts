const MAX_WIDTH = 80;

/** Words on as few lines of 80 columns as possible; a longer word gets a line of its own. */
export function wrapWords(
  words: readonly string[],
  { first, indent }: { readonly first: string; readonly indent: string },
): string[] {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of words) {
    if (!isEmpty && line.length + word.length > MAX_WIDTH) {
      lines.push(line.trimEnd());
      line = indent;
    }
    line += `${word} `;
    isEmpty = false;
  }
  return [...lines, line.trimEnd()];
}
