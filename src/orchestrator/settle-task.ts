import type { Outcome } from "../contract/outcome.ts";
import type { RunTools } from "./ports/run-tools.ts";

/**
 * A story that was run for a task moves the task's status when it ends, whoever watches or not. Doing it again
 * changes nothing.
 */
export async function settleTask(tools: RunTools, story: string): Promise<void> {
  const root = await tools.store.delegation(story);
  const task = root?.work?.task;
  const outcome = root?.outcome ?? null;
  if (task === undefined || outcome === null || tools.workflow === undefined) return;
  const tasks = await tools.workflow.tasks(story);
  await tasks.updateStatus(task, taskStatusAfter(outcome));
}

const RECENT_STORIES = 50;

/** A runtime died between the end of a story and its task: the newest story of a task says what it is left as. */
export async function settleLeftTasks(tools: RunTools): Promise<void> {
  if (tools.workflow === undefined) return;
  const seen = new Set<string>();
  for (const { id } of await tools.store.stories(RECENT_STORIES)) {
    const root = await tools.store.delegation(id);
    const task = root?.work?.task;
    if (task === undefined || seen.has(task)) continue;
    seen.add(task);
    const left = root?.outcome === null ? undefined : (await tools.workflow.tasks(id)).find(task);
    if (left?.status === "implementing") await settleTask(tools, id);
  }
}

/** What is not completed can be taken up again. */
export function taskStatusAfter(outcome: Outcome): "completed" | "blocked" | "partial" {
  return outcome === "completed" || outcome === "blocked" ? outcome : "partial";
}
