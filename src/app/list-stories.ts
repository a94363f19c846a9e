import * as z from "zod";
import { toKnownUsd } from "../base/money.ts";
import { findCommonDirectory } from "../project/find-project.ts";
import { listStoryBranches } from "../workspace/story-branches.ts";
import { findDriverOf } from "./project/find-driver.ts";
import { findMergedStories } from "./project/merged-stories.ts";
import { readStore } from "./project/open-project.ts";
import { defineUseCase } from "./use-case.ts";
import { StorySummaries } from "./views/story-summaries.ts";
import type { StorySummary } from "./views/types/story.ts";

const MAX_STORIES = 1000;

const storySchema = () =>
  z.looseObject({
    id: z.string(),
    title: z.string(),
    state: z.string().describe("As the tree calls it: working, needs you, interrupted, completed …"),
    is_open: z.boolean(),
    merged: z
      .boolean()
      .nullable()
      .describe("Whether its proven work is in a branch of yours; null without any"),
    needs_you: z.int().describe("Open questions and decisions"),
    workers: z.int(),
    cost_usd: z.number().nullable(),
    started_at: z.string().nullable(),
    ended_at: z.string().nullable(),
  });

const output = () =>
  z.looseObject({ stories: z.array(storySchema()), has_more: z.boolean().describe("There are older ones") });

export type StoryListAnswer = z.output<ReturnType<typeof output>>;
export type ListedStory = z.output<ReturnType<typeof storySchema>>;

/** The project's stories: those that need a person first, then those at work, then the newest. */
export const listStoriesUseCase = defineUseCase({
  input: () =>
    z.strictObject({
      limit: z.int().min(1).max(MAX_STORIES).default(20).describe("How many ended ones at most"),
      onlyOpen: z.boolean().default(false),
    }),
  output,
  isReadOnly: true,
  run: (context, { limit, onlyOpen }) =>
    readStore(context, async (reader, project) => {
      const { runs, hasMore } = await new StorySummaries().list(reader, limit);
      if (runs.length === 0) return { stories: [], has_more: false };
      const branches = listStoryBranches(findCommonDirectory(project.root) ?? project.root);
      const isDriven = findDriverOf(project) !== undefined;
      const ids = runs.map(({ id }) => id);
      const merged = await findMergedStories(reader, branches, ids);
      const isMerged = (id: string): boolean | null => (branches.has(id) ? merged.has(id) : null);
      const stories = runs.map((run) => describeStory(run, isDriven, isMerged(run.id)));
      // Open ones are listed however many there are.
      if (onlyOpen) return { stories: stories.filter((story) => story.is_open), has_more: false };
      return { stories, has_more: hasMore };
    }),
});

function describeStory(run: StorySummary, isDriven: boolean, merged: boolean | null): ListedStory {
  const isOpen = run.endedAtMs === null;
  const isInterrupted = run.canGoOn && !isDriven;
  return {
    id: run.id,
    title: run.title,
    state: isInterrupted ? "interrupted" : run.stateWord,
    is_open: isOpen,
    merged,
    needs_you: run.needsYou,
    workers: run.workers,
    cost_usd: toKnownUsd(run.microUsd),
    started_at: formatTime(run.openedAtMs),
    ended_at: formatTime(run.endedAtMs),
  };
}

function formatTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
