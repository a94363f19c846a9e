import * as z from "zod";
import { followedSchema } from "./follow/story-ending.ts";
import { startStory } from "./run/start-story.ts";
import { buildStoryRequest, startInput, storyInput } from "./run/story-input.ts";
import { defineUseCase } from "./use-case.ts";

/** Runs one story: an agent works on a goal, within limits, and its proven work lands on a branch. */
export const runUseCase = defineUseCase({
  input: () => z.strictObject({ story: storyInput(), ...startInput() }),
  output: followedSchema,
  onlyPeople: "never starts a story",
  runsProject: true,
  run: (context, { story, ...options }) => startStory(context, buildStoryRequest(story, "S"), options),
});
