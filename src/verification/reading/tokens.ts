/** A piece of a criterion, with offsets in its text; the offsets of code include its backticks. */
export interface Token {
  readonly kind: "word" | "code" | "mark";
  readonly text: string;
  /** The form that phrases are compared with. */
  readonly lower: string;
  readonly start: number;
  readonly end: number;
}

const BEFORE_WORDS = "(\"'";
const AFTER_WORDS = ").,;:!?\"'";

/** Splits any text into words, marks around words, and code between single backticks, in one pass. */
export function tokenize(text: string): readonly Token[] {
  const pieces = text.split("`");
  // With doubled or unpaired backticks it is not clear what is quoted, so nothing is.
  const isQuoted =
    pieces.length % 2 === 1 && pieces.every((piece, at) => at % 2 === 0 || isQuotedCode(piece));
  if (!isQuoted) return readProseTokens(text, 0);
  let start = 0;
  return pieces.flatMap((piece, at) => {
    const from = start;
    start += piece.length + 1;
    if (at % 2 === 0) return readProseTokens(piece, from);
    const code = piece.trim();
    return [
      { kind: "code", text: code, lower: code, start: from - 1, end: from + piece.length + 1 } as const,
    ];
  });
}

/** The text of adjacent tokens, as written. */
export function sliceTokens(text: string, tokens: readonly Token[]): string {
  const first = tokens[0];
  const last = tokens.at(-1);
  return first === undefined || last === undefined ? "" : text.slice(first.start, last.end);
}

function isQuotedCode(piece: string): boolean {
  return piece.trim() !== "" && !piece.includes("\n");
}

function readProseTokens(piece: string, offset: number): readonly Token[] {
  return Array.from(piece.matchAll(/\S+/g)).flatMap((match) => splitMarks(match[0], offset + match.index));
}

/** Splits punctuation off a word; `...` stays, as in `./...`. */
function splitMarks(word: string, start: number): readonly Token[] {
  let from = 0;
  while (from < word.length && BEFORE_WORDS.includes(word.charAt(from))) from += 1;
  let to = word.length;
  while (to > from && AFTER_WORDS.includes(word.charAt(to - 1)) && !word.startsWith("...", to - 3)) to -= 1;
  const makeMarkTokens = (first: number, last: number): readonly Token[] =>
    Array.from({ length: last - first }, (_, index) => {
      const mark = word.charAt(first + index);
      return {
        kind: "mark",
        text: mark,
        lower: mark,
        start: start + first + index,
        end: start + first + index + 1,
      };
    });
  const inner = word.slice(from, to);
  const middle: readonly Token[] =
    inner === ""
      ? []
      : [{ kind: "word", text: inner, lower: inner.toLowerCase(), start: start + from, end: start + to }];
  return [...makeMarkTokens(0, from), ...middle, ...makeMarkTokens(to, word.length)];
}
