import { systemClock } from "../../../base/clock.ts";
import { exitCode } from "../../../contract/exit-code.ts";
import type { Delegation, StoreReader } from "../../../journal/store.ts";
import { measureCycleCheck } from "../../../reports/cycle-check-time.ts";
import { emptySums, emptyTotals } from "../../../reports/empty-totals.ts";
import { renderFiguresCsv } from "../../render/figures-csv.ts";
import {
  groupPerformance,
  performanceKeys,
  type PerformanceKey,
} from "../../../reports/performance-groups.ts";
import { buildPerformance } from "../../../reports/performance.ts";
import { buildStageTimes, type StageTime } from "../../../reports/stage-times.ts";
import { readSeenEvent } from "../../../reports/story-view.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { renderFigures } from "../../render/figures.ts";
import { renderGroups, renderStageTimes } from "../../render/performance-report.ts";
import { nothingYet, readStore } from "../../../app/open-project.ts";

export function showPerformance(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const key = performanceKeys.find((name) => name === invocation.option("by"));
  const isCsv = invocation.flag("csv");
  return readStore(context, (reader) =>
    key === undefined ? showAll(reader, isCsv) : showGroups(reader, key, isCsv),
  );
}

async function showAll(reader: StoreReader | undefined, isCsv: boolean): Promise<CommandOutcome> {
  const performance = buildPerformance({
    totals: (await reader?.totals()) ?? emptyTotals,
    completed: (await reader?.completedSums()) ?? emptySums,
    cycleCheckMs: await measureNewestStory(reader),
  });
  const stageTimes = await readStageTimes(reader);
  const text = [renderFigures({ ...performance }), renderStageTimes(stageTimes)].join("\n\n");
  return {
    exitCode: exitCode.completed,
    json: { ...performance, stage_times: stageTimes },
    text: isCsv ? renderFiguresCsv([performance]) : reader === undefined ? nothingYet : text,
  };
}

async function showGroups(
  reader: StoreReader | undefined,
  key: PerformanceKey,
  isCsv: boolean,
): Promise<CommandOutcome> {
  const groups = groupPerformance(await readDelegations(reader), key);
  const text = groups.length === 0 ? nothingYet : renderGroups(groups, key);
  return {
    exitCode: exitCode.completed,
    json: { by: key, groups },
    text: isCsv ? renderFiguresCsv(groups) : text,
  };
}

async function measureNewestStory(reader: StoreReader | undefined): Promise<number | null> {
  const [newest] = (await reader?.stories(1)) ?? [];
  if (reader === undefined || newest === undefined) return null;
  return measureCycleCheck(await reader.storyTree(newest.id), systemClock);
}

/** Newer ones say more about today, and all of a large store would take long to read. */
const MOST_EVENTS = 20_000;

async function readStageTimes(reader: StoreReader | undefined): Promise<readonly StageTime[]> {
  const events = (await reader?.newestEvents(MOST_EVENTS)) ?? [];
  return buildStageTimes(events.flatMap(({ body }) => readSeenEvent(parse(body)) ?? []));
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // A damaged event is not measured; verifying the journal names it.
    return undefined;
  }
}

const MOST_STORIES = 100_000;

async function readDelegations(reader: StoreReader | undefined): Promise<readonly Delegation[]> {
  const delegations: Delegation[] = [];
  for (const { id } of (await reader?.stories(MOST_STORIES)) ?? [])
    delegations.push(...((await reader?.storyTree(id)) ?? []));
  return delegations;
}
