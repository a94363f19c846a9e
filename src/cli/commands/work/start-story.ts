import { exitCode } from "../../../contract/exit-code.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { followStory } from "./follow-story.ts";
import { startedSupervisor } from "./project-supervisor.ts";
import type { StoryRequestFields } from "./read-story-request.ts";

/** Hands a story to the supervisor and follows it, or runs it here, as the flags say. */
export async function startStory(
  context: CommandContext,
  invocation: Invocation,
  request: StoryRequestFields,
): Promise<CommandOutcome> {
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
