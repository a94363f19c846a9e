import { randomBase36 } from "../../../base/ids.ts";
import { outcomes } from "../../../contract/outcome.ts";
import { taskStatusAfter } from "../../../orchestrator/settle-task.ts";
import type { StoredTask } from "../../../tasks/task.ts";
import type { TaskStore } from "../../../tasks/task-store.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { readStore } from "../../../app/open-project.ts";
import { openTasks } from "../task/open-tasks.ts";
import { operationOutcome } from "../task/operation-outcome.ts";
import { taskNotFound } from "../task/task-not-found.ts";
import { readStoryRequest, type StoryRequestFields } from "./read-story-request.ts";
import { startStory } from "./start-story.ts";

/** Runs a task of the project's list as a story; only the story's end, never a worker's word, moves its status. */
export async function runTask(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const store = await openTasks(context);
  const id = invocation.argument("story").replace(/^#/, "");
  const task = store.find(id);
  if (task === undefined) throw taskNotFound(id, store);
  const request = requestOf(task, context, invocation);
  if (invocation.flag("dryRun")) return startStory(context, invocation, request);
  const started = await store.updateStatus(id, "implementing");
  if (started.status !== "completed") return operationOutcome(context, started);
  context.progress(`Task ${id}: implementing`);
  const outcome = await startStory(context, invocation, request).catch(async (error: unknown) => {
    if (!(await hasBegun(context, request.id))) await putBack(store, task);
    throw error;
  });
  const status = statusAfter(outcome.json["outcome"]);
  if (status === undefined) return outcome;
  // The runtime does the same; whoever comes second changes nothing. What is said below is true when it is read.
  const settled = await store.updateStatus(id, status);
  if (settled.status !== "completed") context.warn(settled.summary);
  return {
    ...outcome,
    json: { ...outcome.json, task: { id, status } },
    text: outcome.text === "" ? "" : `${outcome.text}\n  task     ${id} is ${status}`,
  };
}

/** What the task says, and what the flags add to it. */
function requestOf(task: StoredTask, context: CommandContext, invocation: Invocation): StoryRequestFields {
  const background = [task.description, invocation.option("context") ?? ""].filter((part) => part !== "");
  const criteria = [...task.criteria, ...invocation.optionList("accept")];
  return {
    ...readStoryRequest(context, invocation),
    id: invocation.option("id") ?? `T${task.id}-${randomBase36(4)}`,
    title: task.title,
    task: task.id,
    ...(background.length === 0 ? {} : { context: background.join("\n\n") }),
    ...(criteria.length === 0 ? {} : { criteria }),
  };
}

function hasBegun(context: CommandContext, story: string): Promise<boolean> {
  return readStore(context, async (reader) => (await reader?.story(story)) !== undefined);
}

/** The table knows the way back only through a pause. */
async function putBack(store: TaskStore, { id, status }: StoredTask): Promise<void> {
  if (status === "implementing") return;
  await store.updateStatus(id, "blocked");
  await store.updateStatus(id, status);
}

/** Undefined while it goes on without us. */
function statusAfter(outcome: unknown): string | undefined {
  const known = outcomes.find((one) => one === outcome);
  return known === undefined ? undefined : taskStatusAfter(known);
}
