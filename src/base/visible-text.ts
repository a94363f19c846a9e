import { isHidden } from "./safe-text.ts";

/**
 * Escapes text from outside for a terminal: control characters become `\u{1b}`-like escapes, so that an agent's
 * output or a file name cannot move the cursor or change colours. Line ends and tabs stay.
 */
export function visibleText(text: string): string {
  let shown = "";
  for (const character of text) shown += isHarmless(character) ? character : escapeCharacter(character);
  return shown;
}

/** The same on one line and cut to a length, for quoting inside a message. */
export function quoteExcerpt(text: string, maxLength = 80): string {
  const line = visibleText(text.slice(0, maxLength + 1))
    .replaceAll("\n", "\\n")
    .replaceAll("\t", " ");
  return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line;
}

function isHarmless(character: string): boolean {
  if (character === "\n" || character === "\t") return true;
  const code = character.codePointAt(0) ?? 0;
  const isControl = code < 0x20 || (code >= 0x7f && code <= 0x9f);
  return !isControl && !isHidden(code) && !isLoneSurrogate(code);
}

function isLoneSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}

function escapeCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
