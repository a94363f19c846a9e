import type { CommandContext, CommandOutcome } from "../input/command-module.ts";
import { listenToKeys } from "../terminal/listen-to-keys.ts";
import type { Screen } from "../reporters/tree/screen.ts";
import { writeOutput } from "../terminal/write-output.ts";
import { LinePainter, ScreenPainter, type Painter } from "./painters.ts";

/** How often the store is asked whether something is new; the screen is only touched where it looks different. */
const LOOK_MS = 250;

/** One look: the picture, what it depends on besides the time, and whether nothing more will come. */
export interface Look {
  readonly outcome: CommandOutcome;
  readonly version: string;
  readonly isOver: boolean;
}

export interface Watched {
  /** The part that is still to be written. */
  readonly outcome: CommandOutcome;
  /** The person pressed the key that opens the whole screen. */
  readonly wantsScreen: boolean;
}

/**
 * Shows the same picture and keeps it up to date. On a terminal it is drawn over itself until q, i or Ctrl-C; elsewhere every
 * new state is written below the last one, with `--json` one document per line.
 */
export async function watchOutcome(
  context: CommandContext,
  look: (isTerminal: boolean) => Promise<Look>,
): Promise<Watched> {
  const isTerminal = !context.json && process.stdout.isTTY;
  const keys = listenToKeys(isTerminal && context.input());
  const painter: Painter = isTerminal
    ? new ScreenPainter(standardOutput(), context.ascii)
    : new LinePainter(context.json);
  try {
    for (;;) {
      const { outcome, version, isOver } = await look(isTerminal);
      if (isOver || keys.ended.aborted)
        return { outcome: painter.finish(outcome), wantsScreen: keys.wantsScreen() };
      if (!(await painter.show(outcome, version)))
        return { outcome: { ...outcome, text: "" }, wantsScreen: false };
      await painter.wait(LOOK_MS, keys.ended);
    }
  } finally {
    painter.close();
    keys.release();
  }
}

function standardOutput(): Screen {
  return {
    write: (text) => void writeOutput("stdout", text),
    size: () => ({ columns: process.stdout.columns || 80, rows: process.stdout.rows || 24 }),
    onResize: (listener) => {
      process.stdout.on("resize", listener);
      return () => process.stdout.off("resize", listener);
    },
  };
}
