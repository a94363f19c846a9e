import { DelegationError } from "../../../base/delegation-error.ts";
import { exitCode } from "../../../contract/exit-code.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { nothingYet, readStore } from "../../../app/open-project.ts";
import { followUpStory, readChanges } from "./follow-up-story.ts";
import { onlyPeople } from "./only-people.ts";
import { readDelegation } from "./resume-story.ts";

/** The same contract again, from where the old work began. The old branch and records stay. */
export async function retryStory(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  onlyPeople(context, "never starts a story again");
  const changes = readChanges(invocation);
  const old = await readStore(context, (reader) => readDelegation(reader, invocation.argument("id")));
  if (old === undefined)
    return { exitCode: exitCode.completed, json: { story: null, outcome: null }, text: nothingYet };
  const { id, state } = old;
  if (state !== "closed")
    throw new DelegationError({
      code: "STORY_EXISTS",
      message: `${id} has not ended; it is ${state}.`,
      recommendation: `Go on with it: ambit resume ${id}. Or stop it first: ambit stop ${id}.`,
    });
  return followUpStory(context, { id, from: "base", changes, detach: invocation.flag("detach") });
}
