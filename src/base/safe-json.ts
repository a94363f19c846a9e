/**
 * Serialises to JSON that a terminal may show. JSON leaves some characters as they are although terminals interpret
 * or hide them (8-bit controls, direction marks, joiners); here they become escapes.
 */
export function formatSafeJson(value: unknown, indent?: number): string {
  return escapeJson(JSON.stringify(value, null, indent) ?? "null");
}

/** The same for a text that is JSON already: outside of strings JSON has none of these characters. */
export function escapeJson(json: string): string {
  return json.replaceAll(
    hidden,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

const hidden = /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;
