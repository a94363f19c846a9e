/** As much of a terminal as a whole screen needs; any other control sequence is an error. */
export class ScreenTerminal {
  #columns: number;
  #rows: string[][];
  #row = 0;
  #column = 0;
  #rest = "";
  isCursorVisible = true;
  isWrapping = true;
  isSecondScreen = false;
  marksPaste = false;
  /** How often rows were written, by the text that was put there. */
  writtenRows = 0;

  constructor(columns: number, rows: number) {
    this.#columns = columns;
    this.#rows = Array.from({ length: rows }, () => []);
  }

  readonly write = (text: string): void => {
    // A sequence may be cut in two by the pipe.
    const all = this.#rest + text;
    // oxlint-disable-next-line no-control-regex
    const cut = /\u001B(?:\[[?\d;]*)?$/.exec(all)?.index ?? all.length;
    this.#rest = all.slice(cut);
    // oxlint-disable-next-line no-control-regex
    for (const [token] of all.slice(0, cut).matchAll(/\u001B\[[?\d;]*[A-Za-z]|[\s\S]/gu)) this.#take(token);
  };

  resize(columns: number, rows: number): void {
    this.#columns = columns;
    this.#rows = Array.from({ length: rows }, () => []);
  }

  /** What a person sees. */
  screen(): readonly string[] {
    return this.#rows.map((row) => row.join("").trimEnd());
  }

  /** Whether the terminal is as it was before the program began. */
  isRestored(): boolean {
    return this.isCursorVisible && this.isWrapping && !this.isSecondScreen && !this.marksPaste;
  }

  #take(token: string): void {
    if (token.startsWith("\u001B")) return this.#obey(token.slice(1));
    if (token === "\r") this.#column = 0;
    else if (token === "\n") this.#row += 1;
    else if (token < " " && this.isSecondScreen) throw new Error(`unexpected ${JSON.stringify(token)}`);
    else {
      const row = this.#rows[this.#row];
      if (row === undefined || !this.isSecondScreen) return;
      if (this.#column >= this.#columns) throw new Error(`wider than ${this.#columns}: ${row.join("")}`);
      while (row.length < this.#column) row.push(" ");
      row[this.#column] = token;
      this.#column += 1;
    }
  }

  #obey(sequence: string): void {
    const place = /^\[(\d+);(\d+)H$/.exec(sequence);
    if (place !== null) {
      [this.#row, this.#column] = [Number(place[1]) - 1, Number(place[2]) - 1];
      this.writtenRows += 1;
    } else if (sequence === "[K") this.#rows[this.#row]?.splice(this.#column);
    else if (sequence === "[2J") this.#rows = this.#rows.map(() => []);
    else if (!this.#obeyMode(sequence) && this.isSecondScreen && !/^\[\d*m$/.test(sequence))
      throw new Error(`unexpected ${JSON.stringify(sequence)}`);
  }

  #obeyMode(sequence: string): boolean {
    const isOn = sequence.endsWith("h");
    const modes: Readonly<Record<string, () => void>> = {
      "25": () => (this.isCursorVisible = isOn),
      "7": () => (this.isWrapping = isOn),
      "1049": () => (this.isSecondScreen = isOn),
      "2004": () => (this.marksPaste = isOn),
      "2026": () => undefined,
    };
    const mode = modes[/^\[\?(\d+)[hl]$/.exec(sequence)?.[1] ?? ""];
    mode?.();
    return mode !== undefined;
  }
}
