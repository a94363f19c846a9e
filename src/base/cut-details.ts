/** The text before its first indented line: what was found, without the lines that show it. */
export function cutDetails(text: string): string {
  const lines = text.split("\n");
  const first = lines.findIndex((line, index) => index > 0 && /^[ \t]/.test(line));
  return first === -1 ? text : lines.slice(0, first).join("\n");
}
