import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { onlyPeople } from "./only-people.ts";
import { readStoryRequest } from "./read-story-request.ts";
import { startStory } from "./start-story.ts";

/** One story from a line of text, or several from a file. */
export async function runStoryCommand(
  context: CommandContext,
  invocation: Invocation,
): Promise<CommandOutcome> {
  onlyPeople(context, "starts no story");
  if (isPrdFile(invocation.argument("story"))) {
    const { runPrd } = await import("./run-prd.ts");
    return runPrd(context, invocation);
  }
  return startStory(context, invocation, readStoryRequest(context, invocation));
}

/** A story is a sentence; one word that ends like a file is a file. */
function isPrdFile(word: string): boolean {
  return word.endsWith(".json") && !/\s/.test(word);
}
