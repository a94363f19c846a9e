import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { listenToKeys } from "../../listen-to-keys.ts";
import { readStore } from "../../../app/open-project.ts";
import { showStatus } from "./status.ts";
import { LinePainter, ScreenPainter, type Painter } from "./watch/painters.ts";
import { outputScreen } from "./watch/output-screen.ts";

/** How often the store is asked whether something is new; the screen is only touched where it looks different. */
const LOOK_MS = 250;

/**
 * `ambit status --watch`: the same picture, kept up to date. On a terminal it is drawn over itself until q or Ctrl-C;
 * elsewhere every new state is written below the last one, with `--json` one document per line. It ends with the story
 * that was named; without a terminal also when nothing is open any more.
 */
export async function watchStatus(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const isTerminal = !context.json && process.stdout.isTTY;
  const keys = listenToKeys(isTerminal && context.input());
  const painter: Painter = isTerminal
    ? new ScreenPainter(outputScreen(), context.ascii)
    : new LinePainter(context.json);
  try {
    for (;;) {
      // A terminal may erase the last column of a line that is full.
      const outcome = await showStatus(context, invocation, isTerminal ? 1 : 0);
      const { seq, isOver } = await look(
        context,
        outcome,
        invocation.argument("story") !== "" || !isTerminal,
      );
      if (isOver || keys.ended.aborted) return painter.finish(outcome);
      if (!(await painter.show(outcome, seq))) return { ...outcome, text: "" };
      await painter.wait(LOOK_MS, keys.ended);
    }
  } finally {
    painter.close();
    keys.release();
  }
}

interface Situation {
  readonly seq: number;
  readonly isOver: boolean;
}

/** `ends` says whether the end of the work is the end of the watch. */
function look(context: CommandContext, outcome: CommandOutcome, ends: boolean): Promise<Situation> {
  const story = outcome.json["story"];
  return readStore(context, async (reader) => {
    const { seq } = (await reader?.head()) ?? { seq: 0 };
    const root = typeof story === "string" ? await reader?.delegation(story) : undefined;
    return { seq, isOver: ends && (root === undefined || root.state === "closed") };
  });
}
