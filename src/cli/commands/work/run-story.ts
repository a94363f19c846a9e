import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { onlyPeople } from "./only-people.ts";
import { readStoryRequest } from "./read-story-request.ts";
import { startStory } from "./start-story.ts";

/** One story from a line of text or from the task list, or several from a file. */
export async function runStoryCommand(
  context: CommandContext,
  invocation: Invocation,
): Promise<CommandOutcome> {
  onlyPeople(context, "starts no story");
  const word = invocation.argument("story");
  if (isPrdFile(word)) {
    const { runPrd } = await import("./run-prd.ts");
    return runPrd(context, invocation);
  }
  if (isTaskNumber(word)) {
    const { runTask } = await import("./run-task.ts");
    return runTask(context, invocation);
  }
  return startStory(context, invocation, readStoryRequest(context, invocation));
}

/** A story is a sentence; one word that ends like a file is a file. */
function isPrdFile(word: string): boolean {
  return word.endsWith(".json") && !/\s/.test(word);
}

/** `326` or `#326` alone is a task. */
function isTaskNumber(word: string): boolean {
  return /^#?\d{1,9}$/.test(word);
}
