import type { LogPiece, LogTone } from "./types/delegation.ts";
import { removeSequences } from "../../base/safe-text.ts";
import { redactCredentials } from "../../redaction/redact.ts";

const ESCAPE = String.fromCodePoint(27);
const COLOUR = new RegExp(`${ESCAPE}\\[([\\d;:]{0,40})m`, "g");

/** The sixteen colours of a terminal; bright ones look like the plain ones, because they must be readable on any ground. */
const eight: readonly LogTone[] = ["quiet", "red", "green", "yellow", "blue", "magenta", "cyan", ""];
const tones: readonly LogTone[] = [...eight, ...eight];

interface Look {
  readonly tone: LogTone;
  readonly isBold: boolean;
}

const plain: Look = { tone: "", isBold: false };

/**
 * The lines of a log that a program coloured, by their place. Colours are names of ours and every text is free of
 * sequences: nothing that a program writes reaches the page but its letters. The colour of one line goes on in the next.
 */
export function findColours(lines: readonly string[]): Readonly<Record<number, readonly LogPiece[]>> {
  const found: Record<number, readonly LogPiece[]> = {};
  let look = plain;
  for (const [index, line] of lines.entries()) {
    const { pieces, end } = colourLine(line, look);
    look = end;
    if (pieces.some(({ tone, isBold }) => tone !== "" || isBold)) found[index] = pieces;
  }
  return found;
}

/** The lines without sequences. What was secret only once they are gone is removed here. */
export function removeColours(lines: readonly string[]): readonly string[] {
  return lines.map((line) => (line.includes(ESCAPE) ? redactCredentials(strip(line)).text : line));
}

function strip(text: string): string {
  return removeSequences(text, (code) => String.fromCodePoint(code));
}

function colourLine(line: string, start: Look): { readonly pieces: readonly LogPiece[]; readonly end: Look } {
  const pieces: LogPiece[] = [];
  let look = start;
  let from = 0;
  for (const match of line.matchAll(COLOUR)) {
    addPiece(pieces, line.slice(from, match.index), look);
    look = changeLook(look, match[1] ?? "");
    from = match.index + match[0].length;
  }
  addPiece(pieces, line.slice(from), look);
  const text = pieces.map((piece) => piece.text).join("");
  // A key that a colour divides was not found before: then the line has no colours, and the key is gone.
  const isSecret = redactCredentials(text).text !== text;
  return { pieces: isSecret || text !== strip(line) ? [] : pieces, end: look };
}

function addPiece(pieces: LogPiece[], raw: string, look: Look): void {
  const text = raw.includes(ESCAPE) ? strip(raw) : raw;
  if (text !== "") pieces.push({ text, ...look });
}

/** The numbers of one sequence, applied one after the other; those we do not draw are passed over. */
function changeLook(before: Look, numbers: string): Look {
  let look = before;
  const codes = numbers.split(/[;:]/).map(Number);
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0;
    if (code === 38 || code === 48) {
      const isIndexed = codes[at + 1] === 5;
      if (code === 38) look = paint(look, isIndexed ? findTone(codes[at + 2]) : "");
      at += isIndexed ? 2 : 4;
    } else look = applyCode(look, code);
  }
  return look;
}

function paint({ isBold }: Look, tone: LogTone): Look {
  return { tone, isBold };
}

function applyCode(look: Look, code: number): Look {
  if (code === 0) return plain;
  if (code === 1) return { ...look, isBold: true };
  if (code === 2) return paint(look, "quiet");
  if (code === 22) return { tone: look.tone === "quiet" ? "" : look.tone, isBold: false };
  if (code === 39) return paint(look, "");
  if (code >= 30 && code <= 37) return paint(look, findTone(code - 30));
  if (code >= 90 && code <= 97) return paint(look, findTone(code - 90 + eight.length));
  return look;
}

function findTone(colour: number | undefined): LogTone {
  return colour === undefined ? "" : (tones[colour] ?? "");
}
