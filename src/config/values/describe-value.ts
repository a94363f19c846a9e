const SHOWN = 60;
/** Control characters, line separators and the marks that reorder text. */
const HIDDEN_RANGES: readonly (readonly [number, number])[] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2066, 0x2069],
];

/** A value as an error message shows it: short, on one line, and unable to steer a terminal. */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined) return "empty";
  if (typeof value === "string") return `"${makePrintable(hidePassword(value))}"`;
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint")
    return String(value);
  if (Array.isArray(value)) return "a list";
  return "a mapping";
}

/** Of an address such as `https://me:secret@example.org`. */
function hidePassword(text: string): string {
  return text.replace(/(:\/\/[^/@:\s]*:)[^/@\s]*@/, "$1…@");
}

/** Text from a file or variable, cut and with control characters spelled out. */
export function makePrintable(text: string): string {
  const short = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
  return Array.from(short, spellOut).join("");
}

function spellOut(character: string): string {
  const code = character.charCodeAt(0);
  const isHidden = HIDDEN_RANGES.some(([first, last]) => code >= first && code <= last);
  return isHidden ? `\\u${code.toString(16).padStart(4, "0")}` : character;
}
