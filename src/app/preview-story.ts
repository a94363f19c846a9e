import * as z from "zod";
import { toUsdNumber } from "../base/money.ts";
import { planStory, type PlannedStory } from "./run/plan-story.ts";
import { describePrediction, predictionSchema } from "./run/prediction.ts";
import { buildStoryRequest, storyInput } from "./run/story-input.ts";
import { buildTaskStory } from "./run/task-story.ts";
import { findTask } from "./tasks/find-task.ts";
import { readTasks } from "./tasks/open-tasks.ts";
import { defineUseCase } from "./use-case.ts";

export {
  adviceWords,
  describeAdvice,
  formatDollars,
  summarizeCost,
  summarizeOrder,
  summarizeWorkers,
} from "./run/summarize-prediction.ts";

const partSchema = () =>
  z.looseObject({
    name: z.string(),
    hours: z.number().nullable(),
    after: z.array(z.int()).describe("Places in this list, counted from 0"),
    scope: z.array(z.string()),
  });

const limitsSchema = () =>
  z.looseObject({
    max_depth: z.int(),
    max_delegations: z.int(),
    max_concurrent: z.int(),
    timeout_seconds: z.int(),
    budget_usd: z.number().nullable(),
  });

const output = () =>
  z.looseObject({
    story: z.string(),
    dry_run: z.boolean(),
    title: z.string(),
    agent: z.string().nullable().describe("Null where it is not known yet, or a program works on it"),
    program: z.string().nullable(),
    template: z.string().nullable(),
    template_title: z.string().nullable(),
    ways: z.array(z.string()).describe("The ways it would be assigned among; empty where there is no choice"),
    criteria: z.array(z.string()),
    limits: limitsSchema(),
    parts: z.array(partSchema()),
    prediction: predictionSchema(),
  });

export type StoryPreview = z.output<ReturnType<typeof output>>;

/** Shows the story that would start, and the advice of the delegation gate about dividing it. Changes nothing. */
export const previewStoryUseCase = defineUseCase({
  input: () =>
    z.strictObject({
      story: storyInput(),
      task: z.string().optional().describe("A task of the project's list; its title counts"),
      template: z.string().optional(),
    }),
  output,
  onlyPeople: "never starts a story",
  run: async (context, { story, task, template }) => {
    const request =
      task === undefined
        ? buildStoryRequest(story, "S")
        : buildTaskStory(findTask(await readTasks(context), task), story);
    return describePlan(await planStory(context, request, { template, isPreview: true }));
  },
});

function describePlan(plan: PlannedStory): StoryPreview {
  const { request, template, agent, limits, parts } = plan;
  const budget = request.budgetMicroUsd ?? limits.storyMicroUsd;
  return {
    story: request.id,
    dry_run: true,
    title: request.title,
    agent,
    program: findProgram(plan),
    template: template?.name ?? null,
    template_title: template?.template.title ?? null,
    ways: [...(request.ways ?? [])],
    criteria: (request.criteria ?? []).map((one) => (typeof one === "string" ? one : one.text)),
    limits: {
      max_depth: limits.maxDepth,
      max_delegations: limits.maxDelegations,
      max_concurrent: limits.maxConcurrent,
      timeout_seconds: limits.timeoutSeconds,
      budget_usd: budget === null ? null : toUsdNumber(budget),
    },
    parts: parts.map(({ name, hours, after, scope }) => ({
      name,
      hours,
      after: [...after],
      scope: [...scope],
    })),
    prediction: describePrediction(plan.prediction),
  };
}

/** The program that hands out parts is an internal of Ambit, not what works on the story. */
function findProgram({ request: { command } }: PlannedStory): string | null {
  return command === undefined || command.includes("__handout") ? null : command.join(" ");
}
