import { systemClock } from "../../../base/clock.ts";
import { exitCode } from "../../../contract/exit-code.ts";
import type { StoreReader } from "../../../journal/store.ts";
import { measureCycleCheck } from "../../../reports/cycle-check-time.ts";
import { emptySums, emptyTotals } from "../../../reports/empty-totals.ts";
import { buildPerformance } from "../../../reports/performance.ts";
import type { CommandContext, CommandOutcome } from "../../command-module.ts";
import { renderFigures } from "../../render/figures.ts";
import { nothingYet, readStore } from "./project-store.ts";

export function showPerformance(context: CommandContext): Promise<CommandOutcome> {
  return readStore(context, async (reader) => {
    const performance = buildPerformance({
      totals: (await reader?.totals()) ?? emptyTotals,
      completed: (await reader?.completedSums()) ?? emptySums,
      cycleCheckMs: await measureNewestStory(reader),
    });
    return {
      exitCode: exitCode.completed,
      json: { ...performance },
      text: reader === undefined ? nothingYet : renderFigures({ ...performance }),
    };
  });
}

async function measureNewestStory(reader: StoreReader | undefined): Promise<number | null> {
  const [newest] = (await reader?.stories(1)) ?? [];
  if (reader === undefined || newest === undefined) return null;
  return measureCycleCheck(await reader.storyTree(newest.id), systemClock);
}
