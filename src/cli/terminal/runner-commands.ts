/**
 * Text the runner of GitHub Actions must not read as a command: it looks for `::` at the beginning of a line, blanks not
 * counted, and for the older `##[` anywhere in it.
 */
export function plainLine(text: string): string {
  const line = text.replaceAll("##[", "## [");
  return /^[\s\p{Cf}\p{Cc}]*::/u.test(line) ? `| ${line}` : line;
}

/** How often each of our own commands may still be printed. */
const ownCommands = new Map<string, number>();

/** Lets one line through `neutralizeCommands` as it is: a command that the reporter itself gives to the runner. */
export function allowCommand(line: string): void {
  ownCommands.set(line, (ownCommands.get(line) ?? 0) + 1);
}

/** Takes the meaning from every line of a text that the runner would obey, except the reporter's own. */
export function neutralizeCommands(text: string): string {
  if (!text.includes("::") && !text.includes("##[")) return text;
  // In a document the same character is written differently, so that its readers see no change.
  if (isJson(text)) return text.replaceAll("##[", String.raw`\u0023#[`);
  const pieces = text.split(/(\r\n|\n|\r|\u{85}|\u{2028}|\u{2029})/u);
  return pieces.map((piece, index) => (index % 2 === 0 ? neutralizeLine(piece) : piece)).join("");
}

function neutralizeLine(line: string): string {
  const allowed = ownCommands.get(line) ?? 0;
  if (allowed === 0) return plainLine(line);
  if (allowed === 1) ownCommands.delete(line);
  else ownCommands.set(line, allowed - 1);
  return line;
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    // Text that only begins like a document.
    return false;
  }
}
