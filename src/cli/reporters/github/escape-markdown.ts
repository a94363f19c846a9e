import { safeText } from "../../../base/safe-text.ts";

const SPECIAL = new Set("\\`*_{}[]()#+-!|<>~&@$:");
/** A longer text says no more in a table, and one of a megabyte would take the room of all others. */
const MAX_TEXT_LENGTH = 500;

/** One line that shows as it is written: no table, link, mention or markup comes out of a title. */
export function escapeMarkdown(text: string): string {
  let escaped = "";
  for (const character of shorten(text)) {
    const isSpecial = SPECIAL.has(character);
    escaped += isSpecial ? `&#${character.codePointAt(0) ?? 0};` : character;
  }
  return escaped;
}

const HTML: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
]);

/** For a line between `<pre>` and `</pre>`, which is not read as Markdown. */
export function escapeHtml(text: string): string {
  let escaped = "";
  for (const character of text) escaped += HTML.get(character) ?? character;
  return escaped;
}

export function shorten(text: string): string {
  // Cut before it is cleaned, so that cleaning is never of a megabyte; terminal sequences may take some of the room.
  const safe = safeText(text.slice(0, MAX_TEXT_LENGTH * 4));
  return safe.length > MAX_TEXT_LENGTH ? `${safe.slice(0, MAX_TEXT_LENGTH)}…` : safe;
}
