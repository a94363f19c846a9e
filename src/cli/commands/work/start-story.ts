import { exitCode } from "../../../contract/exit-code.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { followStory } from "./follow-story.ts";
import { startedSupervisor } from "./project-supervisor.ts";
import type { PlannedStory } from "./plan-story.ts";
import type { StoryRequestFields } from "./read-story-request.ts";

/** Hands a story to the supervisor and follows it, or runs it here, as the flags say. */
export async function startStory(
  context: CommandContext,
  invocation: Invocation,
  asked: StoryRequestFields,
): Promise<CommandOutcome> {
  const plan = await planned(context, invocation, asked);
  if (plan !== undefined && invocation.flag("dryRun")) {
    const { dryRunOutcome } = await import("./dry-run.ts");
    return dryRunOutcome(context, plan);
  }
  const request = plan?.request ?? asked;
  if (invocation.flag("inProcess")) {
    const { runHere } = await import("./run-here.ts");
    return runHere(context, request);
  }
  const client = await startedSupervisor(context);
  try {
    await client.call("run", request);
    if (!invocation.flag("detach")) return await followStory(context, client, request.id);
  } finally {
    client.close();
  }
  return {
    exitCode: exitCode.completed,
    json: { story: request.id, outcome: null },
    text: `${request.id} is running.\n  watch  ambit attach ${request.id}\n  stop   ambit stop ${request.id}`,
  };
}

/** A program that nobody divides is started at once; everything else goes past the gate, which only ever advises. */
async function planned(
  context: CommandContext,
  invocation: Invocation,
  asked: StoryRequestFields,
): Promise<PlannedStory | undefined> {
  const template = invocation.option("template");
  const isDry = invocation.flag("dryRun");
  if (asked["adapter"] !== undefined && template === undefined && !isDry) return undefined;
  const { planStory } = await import("./plan-story.ts");
  const plan = await planStory(context, asked, { template, withPrices: isDry });
  if (isDry) return plan;
  const { renderGateLine } = await import("../../render/split-report.ts");
  context.progress(renderGateLine(plan.prediction));
  return plan;
}
