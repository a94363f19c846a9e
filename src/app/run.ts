import * as z from "zod";
import { loadConfig } from "../config/load-config.ts";
import type { DelegationRequest } from "../contract/delegation-request.ts";
import type { StoryRequest } from "../contract/story-request.ts";
import { followedSchema } from "./follow/story-ending.ts";
import { configInput } from "./project/config-input.ts";
import { startStory } from "./run/start-story.ts";
import { buildStoryRequest, startInput, storyInput } from "./run/story-input.ts";
import { type AppContext, defineUseCase } from "./use-case.ts";

const partsInput = () =>
  z
    .strictObject({ text: z.string(), source: z.string() })
    .describe("Delegations to start as they are: a JSON list, or a text with directives");

/** Runs one story: an agent works on a goal, within limits, and its proven work lands on a branch. */
export const runUseCase = defineUseCase({
  input: () => z.strictObject({ story: storyInput(), parts: partsInput().optional(), ...startInput() }),
  output: followedSchema,
  onlyPeople: "never starts a story",
  runsProject: true,
  run: async (context, { story, parts, ...options }) => {
    const request = buildStoryRequest(story, "S");
    if (parts === undefined) return startStory(context, request, options);
    return startStory(context, await divideByFile(context, request, parts), options);
  },
});

/** The manager of the story is then a small program that hands the parts out, so no agent decides about them (R131). */
async function divideByFile(
  context: AppContext,
  request: StoryRequest,
  parts: z.output<ReturnType<typeof partsInput>>,
): Promise<StoryRequest> {
  const [{ handOutParts }, { readParts }] = await Promise.all([
    import("./run/apply-template.ts"),
    import("./run/read-parts.ts"),
  ]);
  const { values } = await loadConfig(configInput(context));
  const agent = request.agent ?? values.agents.default ?? undefined;
  const tasks = readParts(parts).map((part) => nameAgent(part, agent));
  return handOutParts(context, { request, tasks, source: parts.source });
}

function nameAgent(part: DelegationRequest, agent: string | undefined): DelegationRequest {
  return part.agent !== undefined || agent === undefined ? part : { ...part, agent };
}
