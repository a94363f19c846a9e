import { textWidth } from "../../../src/cli/terminal/text-width.ts";
import type { Screen, ScreenSize } from "../../../src/cli/reporters/tree/screen.ts";

/** As much of a terminal as a tree needs; any other control sequence is an error. */
export class VirtualTerminal implements Screen {
  readonly writes: string[] = [];
  readonly #listeners = new Set<() => void>();
  #size: ScreenSize;
  #lines: string[] = [""];
  #row = 0;
  isCursorVisible = true;
  isWrapping = true;
  /** Whether a frame has been begun and not ended. */
  isInFrame = false;
  bells = 0;
  readonly notices: string[] = [];

  constructor(columns: number, rows: number) {
    this.#size = { columns, rows };
  }

  readonly size = (): ScreenSize => this.#size;

  readonly onResize = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  listeners(): number {
    return this.#listeners.size;
  }

  /** Breaks lines that have become too long, as most terminals do. */
  resize(columns: number, rows: number): void {
    const before = this.#lines.slice(0, this.#row).flatMap((line) => chunks(line, columns));
    this.#lines = [...before, ...this.#lines.slice(this.#row)];
    this.#row = before.length;
    this.#size = { columns, rows };
    for (const listener of this.#listeners) listener();
  }

  readonly write = (text: string): void => {
    this.writes.push(text);
    let column = 0;
    // oxlint-disable-next-line no-control-regex
    for (const [token] of text.matchAll(/\u001b\[\??\d*[A-Za-z]|\u001b\]9;[^\u0007]*\u0007|[\s\S]/gu)) {
      if (token === "\r") column = 0;
      else if (token === "\u0007") this.bells += 1;
      else if (token.startsWith("\u001b]9;")) this.notices.push(token.slice(4, -1));
      else if (token === "\n") {
        this.#row += 1;
        column = 0;
        this.#lines[this.#row] ??= "";
      } else if (token.length > 1 && token.startsWith("\u001b")) this.#obey(token, column);
      else {
        const line = this.#lines[this.#row] ?? "";
        this.#lines[this.#row] = line.slice(0, column) + token + line.slice(column + token.length);
        column += token.length;
      }
    }
  };

  /** What a person sees, without blank lines at the end. */
  screen(): string {
    return this.#lines.join("\n").trimEnd();
  }

  #obey(sequence: string, column: number): void {
    const up = /^\[(\d+)A$/.exec(sequence.slice(1))?.[1];
    if (up !== undefined) this.#row -= Number(up);
    else if (sequence.endsWith("K")) this.#lines[this.#row] = (this.#lines[this.#row] ?? "").slice(0, column);
    else if (sequence.endsWith("J")) {
      this.#lines[this.#row] = (this.#lines[this.#row] ?? "").slice(0, column);
      this.#lines.length = this.#row + 1;
    } else if (sequence.includes("?2026")) this.isInFrame = sequence.endsWith("h");
    else if (sequence.includes("?25")) this.isCursorVisible = sequence.endsWith("h");
    else if (sequence.includes("?7")) this.isWrapping = sequence.endsWith("h");
    else if (!sequence.endsWith("m")) throw new Error(`unexpected ${JSON.stringify(sequence)}`);
    if (this.#row < 0) throw new Error("the cursor left the screen");
  }
}

function chunks(line: string, columns: number): readonly string[] {
  if (textWidth(line) <= columns) return [line];
  return [line.slice(0, columns), ...chunks(line.slice(columns), columns)];
}
