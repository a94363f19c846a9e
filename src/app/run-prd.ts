import { describeSchemaIssues } from "../base/schema-issues.ts";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import * as z from "zod";
import { readErrorMessage } from "../base/delegation-error.ts";
import { prdSchema, type Prd, type UserStory } from "../contract/story.ts";
import { workErrors } from "../errors/work.ts";
import type { AppContext } from "./project/app-context.ts";
import { followedSchema } from "./follow/story-ending.ts";
import { readStore } from "./project/open-project.ts";
import { startStory } from "./run/start-story.ts";
import { buildStoryRequest, startInput, storyOptionsInput } from "./run/story-input.ts";
import { defineUseCase } from "./use-case.ts";

const output = () =>
  followedSchema()
    .partial()
    .extend({
      project: z.string().optional().describe("Present when no story stopped the file"),
      stories: z.array(
        z.looseObject({
          id: z.string(),
          outcome: z.string().describe("Or: passes, running, planned"),
        }),
      ),
    });

/**
 * Runs the stories of a PRD file (R78), those with the lowest priority number first, until one is not completed. A
 * story that passes, or that this project has already completed, is not run again. The file itself is only read.
 */
export const runPrdUseCase = defineUseCase({
  input: () =>
    z.strictObject({
      file: z.string(),
      story: storyOptionsInput().describe("For every story of the file"),
      ...startInput(),
      dryRun: z.boolean().optional(),
    }),
  output,
  onlyPeople: "never starts a story",
  runsProject: ({ dryRun, file }) => dryRun !== true && { prd: file },
  run: async (context, { file, story: options, dryRun, ...start }) => {
    const prd = readPrd(resolve(context.directory, file));
    const stories: { id: string; outcome: string }[] = [];
    const watched = watchStops(context);
    for (const story of prd.userStories.toSorted((one, other) => one.priority - other.priority)) {
      if (story.passes || (await isCompleted(context, story.id))) {
        stories.push({ id: story.id, outcome: "passes" });
        continue;
      }
      context.progress(`${story.id}: ${story.title}`);
      const request = buildStoryRequest({ ...options, ...describeStory(prd, story) }, "S");
      if (dryRun === true) {
        const { planStory } = await import("./run/plan-story.ts");
        await planStory(context, request, { template: start.template, withPrices: true });
        stories.push({ id: story.id, outcome: "planned" });
        continue;
      }
      const ended = await startStory(watched.context, request, start);
      stories.push({ id: story.id, outcome: ended.outcome ?? "running" });
      const isRunning = ended.outcome === null && start.detach === true;
      if ((ended.outcome !== "completed" && !isRunning) || watched.isStopped()) return { ...ended, stories };
    }
    return { project: prd.project, stories };
  },
});

/** A person who stops one story does not want the next one to start, even if the story was completed meanwhile. */
function watchStops(context: AppContext): {
  readonly context: AppContext;
  readonly isStopped: () => boolean;
} {
  const { followStory } = context;
  const stops: AbortSignal[] = [];
  if (followStory === undefined) return { context, isStopped: () => false };
  const watching = async (story: string) => {
    const follower = await followStory(story);
    stops.push(follower.stop);
    return follower;
  };
  return {
    context: { ...context, followStory: watching },
    isStopped: () => stops.some(({ aborted }) => aborted),
  };
}

function describeStory(prd: Prd, story: UserStory) {
  const { id, title, description, acceptanceCriteria, fileScope, delegationConfig } = story;
  return {
    id,
    title,
    context: [prd.description, description].filter((part) => part !== "").join("\n\n"),
    ...(acceptanceCriteria.length === 0 ? {} : { criteria: acceptanceCriteria }),
    ...(fileScope === undefined ? {} : { fileScope }),
    ...(delegationConfig === undefined ? {} : { delegationConfig }),
  };
}

function isCompleted(context: AppContext, id: string): Promise<boolean> {
  return readStore(context, async (reader) => (await reader?.delegation(id))?.outcome === "completed");
}

function readPrd(file: string): Prd {
  try {
    return prdSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    const reason = error instanceof z.ZodError ? describeSchemaIssues(error) : readErrorMessage(error);
    throw workErrors.unusablePrd(file, reason, error);
  }
}
