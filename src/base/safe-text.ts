/**
 * Makes text from outside safe to show on one line: no terminal sequences, no control characters, nothing invisible
 * that reorders or hides text. Line ends and tabs become one blank. One pass over the text.
 */
export function safeText(text: string): string {
  return PRINTABLE_ASCII.test(text) ? text : removeSequences(text, replaceCharacter);
}

/** Most text is nothing else, and one look is twenty times as fast as a walk. */
const PRINTABLE_ASCII = /^[ -~]*$/;

/**
 * Removes terminal sequences; `shown` replaces every other character, given its code and the piece before it. One
 * pass over the text.
 */
export function removeSequences(
  text: string,
  shown: (code: number, last: string | undefined) => string,
): string {
  const pieces: string[] = [];
  let hasNoTerminator = false;
  for (let index = 0; index < text.length;) {
    const sequence = sequenceAt(text, index);
    if (sequence === "command") {
      index = commandEnd(text, index);
    } else if (sequence === "string") {
      const end = hasNoTerminator ? -1 : stringEnd(text, index);
      // An unterminated string would swallow everything after it. Later ones have no terminator either.
      if (end === -1) hasNoTerminator = true;
      index = end === -1 ? introducerEnd(text, index) : end;
    } else {
      const code = text.codePointAt(index) ?? 0;
      const piece = shown(code, pieces.at(-1));
      if (piece !== "") pieces.push(piece);
      index += code > 0xffff ? 2 : 1;
    }
  }
  return pieces.join("");
}

const ESCAPE = 0x1b;
const BELL = 0x07;
const STRING_TERMINATOR = 0x9c;

/** The kind of sequence a terminal would read here: one command, or a string that runs up to a terminator. */
function sequenceAt(text: string, index: number): "command" | "string" | undefined {
  const code = text.charCodeAt(index);
  if (code === 0x9b) return "command";
  if (isStringIntroducer(code - 0x40)) return "string";
  if (code !== ESCAPE) return undefined;
  return isStringIntroducer(text.charCodeAt(index + 1)) ? "string" : "command";
}

/** `P`, `X`, `]`, `^` and `_`; the same introducers in one character are 0x40 above them. */
function isStringIntroducer(code: number): boolean {
  return code === 0x50 || code === 0x58 || code === 0x5d || code === 0x5e || code === 0x5f;
}

function introducerEnd(text: string, index: number): number {
  return text.charCodeAt(index) === ESCAPE ? index + 2 : index + 1;
}

/** The parameters and their final letter; a sequence that breaks off ends where it breaks off. */
function commandEnd(text: string, index: number): number {
  const isControlSequence = text.charCodeAt(index) === 0x9b || text.charAt(index + 1) === "[";
  const [lastParameter, firstFinal] = isControlSequence ? [0x3f, 0x40] : [0x2f, 0x30];
  let end = isControlSequence ? introducerEnd(text, index) : index + 1;
  while (isBetween(text.charCodeAt(end), 0x20, lastParameter)) end += 1;
  return isBetween(text.charCodeAt(end), firstFinal, 0x7e) ? end + 1 : end;
}

function stringEnd(text: string, index: number): number {
  for (let end = introducerEnd(text, index); end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    if (code === BELL || code === STRING_TERMINATOR) return end + 1;
    if (code === ESCAPE && text.charAt(end + 1) === "\\") return end + 2;
  }
  return -1;
}

/** Several line ends in a row become one blank, and none begins the text; `last` is the piece before. */
function replaceCharacter(code: number, last: string | undefined): string {
  if (isLineEndOrTab(code)) return last === undefined || last === " " ? "" : " ";
  if (isBetween(code, 0xd800, 0xdfff)) return "\u{fffd}";
  return isHidden(code) ? "" : String.fromCodePoint(code);
}

function isLineEndOrTab(code: number): boolean {
  return isBetween(code, 0x09, 0x0d) || code === 0x85 || code === 0x2028 || code === 0x2029;
}

/** Controls, and characters that Unicode asks programs not to show: direction marks, joiners, fillers, tags. */
const hiddenRanges: readonly (readonly [number, number])[] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff9, 0xfffb],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];

export function isHidden(code: number): boolean {
  return hiddenRanges.some(([first, last]) => isBetween(code, first, last));
}

function isBetween(code: number, first: number, last: number): boolean {
  return code >= first && code <= last;
}
