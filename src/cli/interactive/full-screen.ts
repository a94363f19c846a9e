const ESCAPE = "\u001B[";
/** A terminal that knows this shows a frame at once, whole; others ignore it. */
const beginFrame = `${ESCAPE}?2026h`;
const endFrame = `${ESCAPE}?2026l`;
const hideCursor = `${ESCAPE}?25l`;
const showCursor = `${ESCAPE}?25h`;
const eraseRest = `${ESCAPE}K`;
const eraseAll = `${ESCAPE}2J`;
/** A second screen without wrapping, on which pasted text is marked as such; what was on the first one comes back. */
const enter = `${ESCAPE}?1049h${ESCAPE}?7l${ESCAPE}?2004h${hideCursor}${eraseAll}`;
const leave = `${ESCAPE}?2004l${ESCAPE}?7h${showCursor}${ESCAPE}?1049l`;

/** The visible picture; the cursor is shown only while a person types. */
export interface Frame {
  readonly lines: readonly string[];
  readonly cursor: { readonly row: number; readonly column: number } | null;
}

/** Takes the whole terminal, writes only rows that have changed, and gives the terminal back on every way out. */
export class FullScreen {
  readonly #write: (text: string) => void;
  readonly #restore = (): void => this.close();
  #shown: readonly string[] = [];
  #isOpen = false;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#shown = [];
    process.once("exit", this.#restore);
    this.#write(enter);
  }

  draw({ lines, cursor }: Frame): void {
    if (!this.#isOpen) return;
    const rows = lines.flatMap((line, row) =>
      line === this.#shown[row] ? [] : [`${moveTo(row, 0)}${line}${eraseRest}`],
    );
    this.#shown = lines;
    const at = cursor === null ? hideCursor : `${moveTo(cursor.row, cursor.column)}${showCursor}`;
    if (rows.length > 0 || cursor !== null)
      this.#write(`${beginFrame}${hideCursor}${rows.join("")}${at}${endFrame}`);
  }

  /** After the terminal has changed its size nothing on it can be relied on. */
  forget(): void {
    this.#shown = [];
    if (this.#isOpen) this.#write(eraseAll);
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    process.off("exit", this.#restore);
    this.#write(leave);
  }
}

function moveTo(row: number, column: number): string {
  return `${ESCAPE}${row + 1};${column + 1}H`;
}
