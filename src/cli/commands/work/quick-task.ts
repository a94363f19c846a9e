import { randomBase36 } from "../../../base/ids.ts";
import { countDirectives } from "../../../contract/directive.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { onlyPeople } from "./only-people.ts";
import { readStoryRequest } from "./read-story-request.ts";
import { startStory } from "./start-story.ts";

/**
 * A story in one line (R6). Its agent may delegate like any other, by writing directives in its last message; those in
 * the person's own text are part of the task, because only the agent knows whether dividing it makes sense.
 */
export function runQuickTask(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  onlyPeople(context, "never starts a story");
  const id = invocation.option("id") ?? `Q-${randomBase36(6)}`;
  const request = readStoryRequest(context, invocation);
  const { count } = countDirectives(invocation.argument("story"));
  if (count > 0)
    context.warn(`${count} [delegate:…] in your text: the agent decides whether it hands that out`);
  return startStory(context, invocation, { ...request, id });
}
