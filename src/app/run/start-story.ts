import { visibleText } from "../../base/visible-text.ts";
import type { StoryRequest } from "../../contract/story-request.ts";
import type { AppContext } from "../project/app-context.ts";
import { withSupervisor } from "../project/connect-supervisor.ts";
import { followStory } from "../follow/follow-story.ts";
import type { FollowedStory } from "../follow/story-ending.ts";

export interface StartOptions {
  readonly template?: string | undefined;
  readonly inProcess?: boolean | undefined;
  readonly detach?: boolean | undefined;
}

/** Gives a story to the supervisor and follows it, or runs it in this process. */
export async function startStory(
  context: AppContext,
  asked: StoryRequest,
  { template, inProcess, detach }: StartOptions,
): Promise<FollowedStory> {
  const { isProjectTrusted = false } = context;
  const request = { ...(await applyPlan(context, asked, template)), isProjectTrusted };
  if (inProcess === true) {
    const { runStoryHere } = await import("../follow/run-in-process.ts");
    return runStoryHere(context, request);
  }
  return withSupervisor(context, async (client) => {
    const { warnings } = await client.call("run", request);
    for (const warning of warnings) context.warn(visibleText(warning));
    if (detach === true) return { story: request.id, outcome: null };
    return followStory(context, client, { story: request.id });
  });
}

/** A program that cannot divide its work starts at once; every other story passes the gate, which only advises. */
async function applyPlan(
  context: AppContext,
  asked: StoryRequest,
  template: string | undefined,
): Promise<StoryRequest> {
  if (asked.adapter !== undefined && template === undefined) return asked;
  const [{ planStory }, { describePrediction }, { summarizePrediction }] = await Promise.all([
    import("./plan-story.ts"),
    import("./prediction.ts"),
    import("./summarize-prediction.ts"),
  ]);
  const { request, prediction } = await planStory(context, asked, { template, isPreview: false });
  if (request.ways !== undefined)
    context.progress(
      `Assigned at random: ${request.template ?? "none"} (of ${request.ways.join(", ")}). See ambit template compare.`,
    );
  const described = describePrediction(prediction);
  // Without a template, a cost or advice it would only repeat the limits.
  if (template !== undefined || described.advice !== "open" || described.cost_usd !== null)
    context.progress(summarizePrediction(described));
  return request;
}
