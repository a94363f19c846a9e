import type { CommandContext, CommandOutcome } from "../input/command-module.ts";
import type { Screen } from "../reporters/tree/screen.ts";
import { replaceGlyphs } from "../terminal/choose-ascii.ts";
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

const CONTROL_C = "\u0003";
const CONTROL_D = "\u0004";
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

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
    ? new ScreenPainter(standardOutput(context))
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

function standardOutput({ ascii }: Pick<CommandContext, "ascii">): Screen {
  return {
    write: (text) => void writeOutput("stdout", ascii ? replaceGlyphs(text) : text),
    size: () => ({ columns: process.stdout.columns || 80, rows: process.stdout.rows || 24 }),
    onResize: (listener) => {
      process.stdout.on("resize", listener);
      return () => process.stdout.off("resize", listener);
    },
  };
}

interface Keys {
  /** Aborted by q, i, Ctrl-C or a signal that ends the program. */
  readonly ended: AbortSignal;
  /** Whether it was i, which opens the whole screen. */
  readonly wantsScreen: () => boolean;
  readonly release: () => void;
}

/** Waits for the person to have seen enough. Only a terminal has keys; signals count everywhere. */
function listenToKeys(hasKeys: boolean): Keys {
  const abort = new AbortController();
  const end = (): void => abort.abort();
  let wantsScreen = false;
  const onKeys = (keys: Buffer): void => {
    const text = keys.toString("utf8");
    if ([CONTROL_C, CONTROL_D, "q", "Q"].some((key) => text.includes(key))) return end();
    if (text !== "i") return;
    wantsScreen = true;
    end();
  };
  for (const signal of signals) process.on(signal, end);
  if (hasKeys) {
    // Keys come one by one and are not shown; Ctrl-C is then a key like any other.
    process.stdin.setRawMode(true);
    process.stdin.on("data", onKeys);
    process.stdin.resume();
  }
  return {
    ended: abort.signal,
    wantsScreen: () => wantsScreen,
    release: () => {
      for (const signal of signals) process.off(signal, end);
      if (!hasKeys) return;
      process.stdin.off("data", onKeys);
      process.stdin.setRawMode(false);
      process.stdin.pause();
    },
  };
}
