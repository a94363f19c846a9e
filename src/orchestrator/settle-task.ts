import type { Outcome } from "../contract/outcome.ts";
import type { RunTools } from "./run-tools.ts";

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

/** What is not completed can be taken up again. */
export function taskStatusAfter(outcome: Outcome): "completed" | "blocked" | "partial" {
  return outcome === "completed" || outcome === "blocked" ? outcome : "partial";
}
