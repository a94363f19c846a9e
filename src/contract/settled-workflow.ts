import * as z from "zod";

/** The steps of the runtime after a workflow command's worker ended (R144). */
const postflightSchema = z.strictObject({
  status_sync_manager_invoked: z.boolean(),
  status_sync_manager_completed: z.boolean(),
  todo_md_updated: z.boolean(),
  state_json_updated: z.boolean(),
  /** Some commit was made; the next two say of what. */
  git_commit_created: z.boolean(),
  /** The work, with its documents, is on the story's branch. Absent in journals of earlier versions. */
  work_committed: z.boolean().optional(),
  /** TODO.md, state.json and the placed documents are on the person's branch (`tasks.commit`). */
  task_files_committed: z.boolean().optional(),
});

export type Postflight = z.infer<typeof postflightSchema>;

/** The evidence that a workflow command leaves in the journal. */
export const settledWorkflowSchema = z.strictObject({
  command: z.string().max(200),
  task: z.string().max(400).nullable(),
  worker: z.string().min(1).max(400),
  /** The task's status afterwards; null for a command about no task. */
  status: z.string().nullable(),
  artifacts: z.array(z.strictObject({ type: z.string(), path: z.string() })),
  /** The commit with the work, on the story's branch. */
  commit: z.string().nullable(),
  /** The commit with the task files on the person's branch, if the project wants one. */
  taskCommit: z.string().nullable(),
  postflight: postflightSchema,
});

export type SettledWorkflow = z.infer<typeof settledWorkflowSchema>;
