import * as z from "zod";
import { countDirectives } from "../contract/directive.ts";
import { followedSchema } from "./follow/story-ending.ts";
import { startStory } from "./run/start-story.ts";
import { buildStoryRequest, startInput, storyInput } from "./run/story-input.ts";
import { defineUseCase } from "./use-case.ts";

/**
 * Runs a story of one line (R6). Its agent may delegate like any other by writing directives in its last message.
 * Directives in the person's text are part of the task: the agent decides whether dividing it makes sense.
 */
export const quickUseCase = defineUseCase({
  input: () => z.strictObject({ story: storyInput(), ...startInput() }),
  output: followedSchema,
  onlyPeople: "never starts a story",
  runsProject: true,
  run: (context, { story, ...options }) => {
    const { count } = countDirectives(story.title);
    if (count > 0)
      context.warn(`${count} [delegate:…] in your text: the agent decides whether to delegate it`);
    return startStory(context, buildStoryRequest(story, "Q"), options);
  },
});
