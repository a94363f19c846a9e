import * as z from "zod";
import { exitCode } from "../../../contract/exit-code.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { runningSupervisor } from "./project-supervisor.ts";

const answerSchema = z.object({ stopping: z.boolean() });

export async function stopStory(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const story = invocation.argument("story");
  const reason = invocation.option("reason") ?? "asked by a person";
  const client = await runningSupervisor(context);
  if (client === undefined) return nothingRuns(story);
  try {
    const { stopping } = answerSchema.parse(await client.call("stop", { story, reason, by: "person" }));
    if (!stopping) return nothingRuns(story);
    const text = `${story} is stopping; its work is kept.\n  watch  ambit attach ${story}`;
    return { exitCode: exitCode.completed, json: { story, stopping }, text };
  } finally {
    client.close();
  }
}

function nothingRuns(story: string): CommandOutcome {
  return { exitCode: exitCode.completed, json: { story, stopping: false }, text: `${story} is not running.` };
}
