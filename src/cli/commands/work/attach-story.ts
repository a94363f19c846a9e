import type { CommandContext, CommandOutcome } from "../../command-module.ts";
import { findTarget } from "../../../app/find-target.ts";
import { readStore } from "../../../app/open-project.ts";
import { nothingYet } from "../../../app/open-project.ts";
import { exitCode } from "../../../contract/exit-code.ts";
import { followStory } from "./follow-story.ts";
import { startedSupervisor } from "./project-supervisor.ts";

/** Also the way back after a crash: starting the supervisor takes up what the old one left. */
export async function attachStory(context: CommandContext, word: string): Promise<CommandOutcome> {
  const target = await readStore(context, (reader) => findTarget(reader, word));
  if (target === undefined) return { exitCode: exitCode.completed, json: { story: null }, text: nothingYet };
  const client = await startedSupervisor(context);
  try {
    return await followStory(context, client, target.story.id);
  } finally {
    client.close();
  }
}
