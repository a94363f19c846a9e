import * as z from "zod";
import type { JournalEvent } from "./journal-event.ts";
import { settledWorkflowSchema, type SettledWorkflow } from "./settled-workflow.ts";

const { worker, status, artifacts, commit, postflight } = settledWorkflowSchema.shape;

/** The `fields` of `task-changed` in which earlier versions stored the same facts. */
const earlierFieldsSchema = z.object({
  workflow: z.string(),
  worker,
  status,
  artifacts,
  commit,
  task_commit: z.string().nullable().default(null),
  postflight,
});

/** The evidence that a workflow command left, in the form of any version; undefined for every other event. */
export function readSettledWorkflow({ type, data }: JournalEvent): SettledWorkflow | undefined {
  if (type === "workflow-settled") return data;
  const earlier = type === "task-changed" ? earlierFieldsSchema.safeParse(data.fields) : undefined;
  if (type !== "task-changed" || earlier?.success !== true) return undefined;
  const { workflow: command, task_commit: taskCommit, ...facts } = earlier.data;
  // A command about no task named itself instead.
  return { ...facts, command, taskCommit, task: data.taskId === command ? null : data.taskId };
}
