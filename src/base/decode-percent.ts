/** Decodes percent signs as in addresses; a text with a percent sign that encodes nothing stays as it is. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A lone percent sign is literal.
    return text;
  }
}
