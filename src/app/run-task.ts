import * as z from "zod";
import { taskStatusAfter } from "../orchestrator/settle-task.ts";
import type { TaskStore } from "../tasks/task-store.ts";
import type { StoredTask } from "../tasks/task.ts";
import type { AppContext } from "./project/app-context.ts";
import { followedSchema } from "./follow/story-ending.ts";
import { readStore } from "./project/open-project.ts";
import { startStory } from "./run/start-story.ts";
import { startInput, storyOptionsInput } from "./run/story-input.ts";
import { buildTaskStory } from "./run/task-story.ts";
import { operationSchema, reportOperation } from "./tasks/describe-operation.ts";
import { findTask } from "./tasks/find-task.ts";
import { openTasks } from "./tasks/open-tasks.ts";
import { defineUseCase } from "./use-case.ts";

export { isTaskOperation } from "./tasks/describe-operation.ts";

const settledSchema = () =>
  followedSchema().extend({
    task: z.looseObject({ id: z.string(), status: z.string() }).optional().describe("Once it has ended"),
  });

/** Runs a task of the project's list as a story. Only the story's end moves the task's status. */
export const runTaskUseCase = defineUseCase({
  input: () => z.strictObject({ task: z.string(), story: storyOptionsInput(), ...startInput() }),
  output: () => z.union([operationSchema(), settledSchema()]),
  onlyPeople: "never starts a story",
  runsProject: true,
  run: async (context, { task: id, story, ...options }) => {
    const store = await openTasks(context);
    const task = findTask(store, id);
    const request = buildTaskStory(task, story);
    const started = await store.updateStatus(id, "implementing");
    if (started.status !== "completed") return reportOperation(context, started);
    context.progress(`Task ${id}: implementing`);
    const ended = await startStory(context, request, options).catch(async (error: unknown) => {
      if (!(await hasBegun(context, request.id))) await restoreStatus(store, task);
      throw error;
    });
    if (ended.outcome === null) return ended;
    // The supervisor settles the task too; whichever is second changes nothing, and this answer is true when it is read.
    const status = taskStatusAfter(ended.outcome);
    const settled = await store.updateStatus(id, status);
    if (settled.status !== "completed") context.warn(settled.summary);
    return { ...ended, task: { id, status } };
  },
});

function hasBegun(context: AppContext, story: string): Promise<boolean> {
  return readStore(context, async (reader) => (await reader?.story(story)) !== undefined);
}

/** The transition table allows the way back only through `blocked`. */
async function restoreStatus(store: TaskStore, { id, status }: StoredTask): Promise<void> {
  if (status === "implementing") return;
  await store.updateStatus(id, "blocked");
  await store.updateStatus(id, status);
}
