import { withSupervisor } from "../../../app/connect-supervisor.ts";
import { findTarget } from "../../../app/find-target.ts";
import { nothingYet, readStore } from "../../../app/open-project.ts";
import { exitCode } from "../../../contract/exit-code.ts";
import type { CommandContext, CommandOutcome } from "../../command-module.ts";
import { followStory } from "./follow-story.ts";

/** Also the way back after a crash: the supervisor that this starts continues what the old one left. */
export async function attachStory(context: CommandContext, word: string): Promise<CommandOutcome> {
  const target = await readStore(context, (reader) => findTarget(reader, word));
  if (target === undefined) return { exitCode: exitCode.completed, json: { story: null }, text: nothingYet };
  return withSupervisor(context, (client) => followStory(context, client, target.story.id));
}
