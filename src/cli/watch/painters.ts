import type { CommandOutcome } from "../input/command-module.ts";
import { renderDocument } from "../render/document.ts";
import { drawOver, nothingDrawn, writeOver, type Drawn } from "../reporters/tree/frame.ts";
import type { Screen } from "../reporters/tree/screen.ts";
import { writeOutput } from "../terminal/write-output.ts";

/** How a picture that changes is shown. */
export interface Painter {
  /** Returns false when the reader has gone. A picture of the same version differs in its times only. */
  show(outcome: CommandOutcome, version: string): Promise<boolean>;
  wait(delayMs: number, signal: AbortSignal): Promise<void>;
  /** Draws the last picture in full; the outcome that it returns is still to be written. */
  finish(outcome: CommandOutcome): CommandOutcome;
  close(): void;
}

const HINT = "q quits · i chooses a worker · the work continues";

/** Draws over the last picture, no higher than the screen, and counts the lines that do not fit. */
export class ScreenPainter implements Painter {
  readonly #screen: Screen;
  readonly #stopListening: () => void;
  #drawn: Drawn = nothingDrawn;
  #wake: () => void = () => undefined;

  constructor(screen: Screen) {
    this.#screen = screen;
    this.#stopListening = screen.onResize(() => this.#wake());
  }

  show({ text }: CommandOutcome): Promise<boolean> {
    const { columns, rows } = this.#screen.size();
    const next: Drawn = { lines: this.#fit(text.split("\n"), rows), columns };
    const { lines } = this.#drawn;
    const isSame =
      this.#drawn.columns === columns &&
      lines.length === next.lines.length &&
      next.lines.every((line, row) => line === lines[row]);
    if (!isSame) this.#screen.write(drawOver(this.#drawn, next));
    this.#drawn = next;
    return Promise.resolve(true);
  }

  /** Keeps two rows: one says how to quit, one is for the cursor. */
  #fit(lines: readonly string[], rows: number): readonly string[] {
    const room = Math.max(1, rows - 2);
    if (lines.length <= room) return [...lines, HINT];
    const shown = lines.slice(0, room - 1);
    return [...shown, `and ${lines.length - shown.length} more lines`, HINT];
  }

  wait(delayMs: number, signal: AbortSignal): Promise<void> {
    return pause(delayMs, signal, (wake) => (this.#wake = wake));
  }

  finish(outcome: CommandOutcome): CommandOutcome {
    const { lines } = this.#drawn;
    if (lines.length === 0) return outcome;
    this.#screen.write(writeOver(this.#drawn, outcome.text, this.#screen.size().columns));
    return { ...outcome, text: "" };
  }

  close(): void {
    this.#stopListening();
  }
}

/** Writes each new state below the last one; a time that counts up is not a new state. */
export class LinePainter implements Painter {
  readonly #isJson: boolean;
  #version: string | undefined;

  constructor(isJson: boolean) {
    this.#isJson = isJson;
  }

  async show({ json, text }: CommandOutcome, version: string): Promise<boolean> {
    if (version === this.#version) return true;
    this.#version = version;
    const written = await writeOutput("stdout", this.#isJson ? renderDocument(json) : `${text}\n\n`);
    return written.status === "written";
  }

  wait(delayMs: number, signal: AbortSignal): Promise<void> {
    return pause(delayMs, signal, () => undefined);
  }

  finish(outcome: CommandOutcome): CommandOutcome {
    return outcome;
  }

  close(): void {
    this.#version = undefined;
  }
}

/** Waits for the delay, the signal or a call of `wake`. */
function pause(delayMs: number, signal: AbortSignal, onWake: (wake: () => void) => void): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", wake);
      onWake(() => undefined);
      resolve();
    };
    const timer = setTimeout(wake, delayMs);
    signal.addEventListener("abort", wake, { once: true });
    onWake(wake);
  });
}
