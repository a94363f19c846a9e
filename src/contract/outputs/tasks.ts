import * as z from "zod";
import { anything, count, ended, flag, id, list, loose, optionalText, text, texts } from "./parts.ts";

const task = loose({
  id,
  number: z.number().nullable(),
  title: text,
  status: text,
  priority: anything,
  language: anything,
  dependencies: texts,
  parent: optionalText,
  subtasks: texts,
  archived: flag,
});

const error = loose({ type: text, message: text, recoverable: flag });

/** Every change of tasks answers alike (R42), also one that failed and was rolled back. */
const operation = loose({
  operation: text,
  dry_run: flag,
  status: z.enum(["completed", "partial", "failed"]),
  summary: text,
  metadata: loose({ files_updated: texts }),
  errors: list(error),
  tasks: list(task),
  changes: list(loose({ task_id: id, kind: text })),
  log: texts,
  warnings: texts,
});

const nothingToArchive = loose({
  operation: text,
  status: text,
  dry_run: flag,
  archived: list(anything),
  open: count,
});

/** What a workflow command ends with, or that it was started. */
const workflow = loose({ ...ended, task: anything, agent: optionalText.optional() });

/** The task list, and the commands that work on its tasks. */
export const taskOutputs = {
  "task list": loose({ tasks: list(task), count, total: count }),
  "task show": task,
  "task add": operation,
  "task edit": operation,
  "task divide": operation,
  "task status": operation,
  "task archive": operation,
  "task recover": operation,
  "task abandon": operation,
  "task sync": operation,
  "task import": operation,
  todo: z.union([operation, nothingToArchive]),
  research: workflow,
  plan: workflow,
  implement: workflow,
  revise: workflow,
  review: workflow,
  meta: workflow,
} as const;
