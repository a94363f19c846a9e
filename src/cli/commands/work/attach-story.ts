import * as z from "zod";
import { exitCode } from "../../../contract/exit-code.ts";
import type { CommandContext, CommandOutcome } from "../../command-module.ts";
import { followStory } from "./follow-story.ts";
import { startedSupervisor } from "./project-supervisor.ts";

const answerSchema = z.object({ running: z.boolean(), outcome: z.string().nullable() });

/** Also the way back after a crash: starting the supervisor closes what the old one left. */
export async function attachStory(context: CommandContext, story: string): Promise<CommandOutcome> {
  const client = await startedSupervisor(context);
  try {
    const { running, outcome } = answerSchema.parse(await client.call("attach", { story }));
    if (running) return await followStory(context, client, story);
    const text = `${story} has ended: ${outcome ?? "never began"}.\n  look  ambit tree ${story}`;
    return { exitCode: exitCode.completed, json: { story, running: false, outcome }, text };
  } finally {
    client.close();
  }
}
