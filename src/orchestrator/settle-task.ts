import type { Outcome } from "../contract/outcome.ts";
import { findStorySetting } from "../contract/story-setting.ts";
import type { TaskStore } from "../tasks/task-store.ts";
import type { RunTools } from "./ports/run-tools.ts";

/** Updates the status of the task that a story was run for, when the story ends. Repeating it changes nothing. */
export async function settleTask(tools: RunTools, story: string): Promise<void> {
  const root = await tools.store.delegation(story);
  const task = root?.work?.task;
  const outcome = root?.outcome ?? null;
  if (task === undefined || outcome === null) return;
  const tasks = await openStoryTasks(tools, story);
  await tasks.updateStatus(task, taskStatusAfter(outcome));
}

/** Opens the folder it was taken from; the story's shell may be forgotten by now. */
async function openStoryTasks({ store, workflow }: RunTools, id: string): Promise<TaskStore> {
  const dir = findStorySetting((await store.story(id))?.settings, "tasks.dir")?.value;
  return workflow.tasks(id, typeof dir === "string" ? dir : undefined);
}

const MAX_RECENT_STORIES = 50;

/** After a crash between the end of a story and its task, the newest story of each task decides its status. */
export async function settleLeftTasks(tools: RunTools): Promise<void> {
  const seen = new Set<string>();
  for (const { id } of await tools.store.stories(MAX_RECENT_STORIES)) {
    const root = await tools.store.delegation(id);
    const task = root?.work?.task;
    if (task === undefined || seen.has(task)) continue;
    seen.add(task);
    const left = root?.outcome === null ? undefined : (await openStoryTasks(tools, id)).find(task);
    if (left?.status === "implementing") await settleTask(tools, id);
  }
}

/** Work that is not completed can be continued. */
export function taskStatusAfter(outcome: Outcome): "completed" | "blocked" | "partial" {
  return outcome === "completed" || outcome === "blocked" ? outcome : "partial";
}
