import * as z from "zod";
import { parseJson } from "../base/json.ts";
import { systemClock } from "../base/clock.ts";
import type { Delegation, StoreReader } from "../journal/store.ts";
import { measureCycleCheck } from "../reports/cycle-check-time.ts";
import { emptySums, emptyTotals } from "../reports/empty-totals.ts";
import { groupPerformance, performanceKeys } from "../reports/performance-groups.ts";
import { buildPerformance } from "../reports/performance.ts";
import { buildStageTimes, type StageTime } from "../reports/stage-times.ts";
import { readSeenEvent } from "../reports/story-view.ts";
import { readStore } from "./project/open-project.ts";
import { defineUseCase } from "./use-case.ts";
import { copyFields } from "./wire/copy-fields.ts";

const input = () =>
  z.strictObject({
    by: z.enum(performanceKeys).optional().describe("One group per agent, model, day or template"),
  });

const measured = () => z.number().nullable().describe("Null when it was not measured");

const counts = () => ({
  total_delegations: z.int(),
  completed: z.int(),
  failed: z.int(),
  partial: z.int(),
  blocked: z.int(),
  cancelled: z.int(),
  timed_out: z.int(),
  finished: z.int().describe("Everything that ended, except what was cancelled"),
  success_rate: measured(),
  median_duration_ms: measured(),
  p95_duration_ms: measured(),
  total_cost_usd: z.number().nullable(),
});

const all = () =>
  z.looseObject({
    ...counts(),
    running: z.int(),
    waiting: z.int(),
    avg_duration_ms: measured(),
    avg_cost_usd: measured(),
    avg_tokens_in: measured(),
    avg_tokens_out: measured(),
    worktree_overhead_ms: measured(),
    cycle_detection_overhead_ms: measured(),
    total_overhead_ms: measured(),
    parallel_efficiency: measured(),
    stage_times: z.array(
      z.looseObject({
        stage: z.string(),
        count: z.int(),
        p50_ms: measured(),
        p95_ms: measured(),
        budget_ms: measured(),
        within_budget: measured(),
      }),
    ),
  });

const group = () =>
  z.looseObject({
    ...counts(),
    group: z.string().describe("Empty where it is not known"),
    open: z.int(),
    avg_attempts: measured(),
    tokens_in: z.int(),
    tokens_out: z.int(),
    estimated: z.boolean(),
  });

const groups = () => z.looseObject({ by: z.enum(performanceKeys), groups: z.array(group()) });

export type PerformanceAnswer = z.output<ReturnType<typeof all>>;
export type PerformanceGroups = z.output<ReturnType<typeof groups>>;

/** Success rate, durations, averages and overheads of all delegations, together or by group. */
export const performanceUseCase = defineUseCase({
  input,
  output: () => z.union([all(), groups()]),
  isReadOnly: true,
  run: (context, { by }) =>
    readStore(context, async (reader) => {
      if (by === undefined) return measureAll(reader);
      const found = groupPerformance(await readDelegations(reader), by);
      return { by, groups: found.map(copyFields) };
    }),
});

async function measureAll(reader: StoreReader | undefined): Promise<PerformanceAnswer> {
  const performance = buildPerformance({
    totals: (await reader?.totals()) ?? emptyTotals,
    completed: (await reader?.completedSums()) ?? emptySums,
    cycleCheckMs: await measureNewestStory(reader),
  });
  const stageTimes = await readStageTimes(reader);
  return { ...performance, stage_times: stageTimes.map(copyFields) };
}

async function measureNewestStory(reader: StoreReader | undefined): Promise<number | null> {
  const [newest] = (await reader?.stories(1)) ?? [];
  if (reader === undefined || newest === undefined) return null;
  return measureCycleCheck(await reader.storyTree(newest.id), systemClock);
}

/** The newest events say most about today, and reading all of a large store takes long. */
const MAX_EVENTS = 20_000;

async function readStageTimes(reader: StoreReader | undefined): Promise<readonly StageTime[]> {
  const events = (await reader?.newestEvents(MAX_EVENTS)) ?? [];
  return buildStageTimes(events.flatMap(({ body }) => readSeenEvent(parseJson(body)) ?? []));
}

const MAX_STORIES = 100_000;

async function readDelegations(reader: StoreReader | undefined): Promise<readonly Delegation[]> {
  const delegations: Delegation[] = [];
  for (const { id } of (await reader?.stories(MAX_STORIES)) ?? [])
    delegations.push(...((await reader?.storyTree(id)) ?? []));
  return delegations;
}
