import { describeSchemaIssues } from "../base/schema-issues.ts";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import * as z from "zod";
import { readErrorCode, readErrorMessage } from "../base/delegation-error.ts";
import { prdSchema, type Prd } from "../contract/story.ts";
import { workProofs } from "../contract/work-proof.ts";
import { workErrors } from "../errors/work.ts";
import { followedSchema } from "./follow/story-ending.ts";
import { orderStories } from "./prd/order-stories.ts";
import { PrdLoop } from "./prd/prd-loop.ts";
import { storyRowSchema } from "./prd/story-row.ts";
import { startInput, storyOptionsInput } from "./run/story-input.ts";
import { defineUseCase } from "./use-case.ts";

export type { StoryRow } from "./prd/story-row.ts";
export { summarizePrediction } from "./run/summarize-prediction.ts";

const output = () =>
  followedSchema()
    .partial()
    .extend({
      project: z.string().optional().describe("Present when no story failed"),
      branch: z.string().nullable().optional().describe("Where the proven work of all stories is"),
      branch_proof: z
        .enum(workProofs)
        .nullable()
        .optional()
        .describe("What the checks of all work on the branch prove"),
      merge: z.string().nullable().optional().describe("The story whose merge brings everything"),
      stories: z.array(storyRowSchema()),
    });

/**
 * Runs the stories of a PRD file (R78, R132) as a loop over one branch: dependencies first, then priority; each starts
 * from the work of those before it. What passes its checks is written into the file. A story that fails stops only those
 * that depend on it. A story that passes, or that this project has already completed, is not run again.
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
  run: async (context, { file, story: options, dryRun = false, ...start }) => {
    const path = resolve(context.directory, file);
    const prd = readPrd(path);
    const ordered = orderStories(file, prd.userStories);
    const loop = await PrdLoop.open(context, { file: path, prd, options, start });
    return dryRun ? loop.predict(ordered) : loop.run(ordered);
  },
});

function readPrd(file: string): Prd {
  try {
    return prdSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    if (readErrorCode(error) === "ENOENT") throw workErrors.missingPrd(file, error);
    const reason = error instanceof z.ZodError ? describeSchemaIssues(error) : readErrorMessage(error);
    throw workErrors.unusablePrd(file, reason, error);
  }
}
