import * as z from "zod";
import { systemClock } from "../../base/clock.ts";
import { createSessionId } from "../../base/ids.ts";
import type { DelegationError } from "../../base/delegation-error.ts";
import { taskListErrors } from "../../errors/work.ts";
import { renderOperation, type OperationError } from "../../tasks/operation-return.ts";
import type { TaskChange, TaskOperation } from "../../tasks/task.ts";
import type { AppContext } from "../project/app-context.ts";
import { describeTask, taskSchema } from "./describe-task.ts";

const fields = () => z.record(z.string(), z.unknown());

const changeSchema = () =>
  z.looseObject({
    task_id: z.string(),
    kind: z.string(),
    source: z.string(),
    fields: fields(),
    before: fields(),
  });

const failureSchema = () =>
  z.looseObject({
    type: z.string(),
    message: z.string(),
    code: z.string(),
    recoverable: z.boolean(),
    recommendation: z.string(),
  });

/** Every change of tasks gives the same answer (R42), also one that failed and was rolled back. */
export const operationSchema = () =>
  z.looseObject({
    error: z
      .looseObject({
        code: z.string(),
        message: z.string(),
        recommendation: z.string(),
        recoverable: z.boolean(),
      })
      .optional()
      .describe("Only when it failed"),
    operation: z.string(),
    dry_run: z.boolean(),
    status: z.enum(["completed", "partial", "failed"]),
    summary: z.string(),
    metadata: z.looseObject({ session_id: z.string(), files_updated: z.array(z.string()) }),
    errors: z.array(failureSchema()),
    tasks: z.array(taskSchema()),
    changes: z.array(changeSchema()),
    imported: z.array(changeSchema()).describe("Edits by hand that were taken over"),
    conflicts: z.int().describe("Fields that differed in both files and were settled"),
    log: z.array(z.string()),
    warnings: z.array(z.string()),
  });

export type DescribedOperation = z.output<ReturnType<typeof operationSchema>>;
export type DescribedChange = DescribedOperation["changes"][number];

/** Whether an answer is the report of a change of tasks: the change was asked for, or a use case could not make it. */
export function isTaskOperation(answer: object): answer is DescribedOperation {
  return "metadata" in answer;
}

/** The answer, with what the person should know as warnings. */
export function reportOperation(context: AppContext, operation: TaskOperation): DescribedOperation {
  const { warnings, failures } = operation;
  for (const warning of warnings) context.warn(warning);
  const error = findError(operation);
  if (error === undefined) for (const { message } of failures) context.warn(message);
  return { ...(error === undefined ? {} : { error: describeError(error) }), ...describeOperation(operation) };
}

function describeOperation(operation: TaskOperation): DescribedOperation {
  const sessionId = createSessionId(systemClock);
  const { metadata, errors, ...rest } = renderOperation(operation, sessionId);
  return {
    operation: operation.operation,
    dry_run: operation.dryRun,
    ...rest,
    metadata: { ...metadata, session_id: sessionId, files_updated: [...operation.filesUpdated] },
    errors: errors.map(describeFailure),
    tasks: operation.tasks.map(describeTask),
    changes: operation.changes.map(describeChange),
    imported: operation.imported.map(describeChange),
    conflicts: operation.conflicts.length,
    log: [...operation.log],
    warnings: [...operation.warnings],
  };
}

function describeFailure(error: OperationError): DescribedOperation["errors"][number] {
  return { ...error };
}

function describeChange({ taskId, kind, source, fields, before }: TaskChange): DescribedChange {
  return { task_id: taskId, kind, source, fields: { ...fields }, before: { ...before } };
}

function findError({ status, failures, summary }: TaskOperation): DelegationError | undefined {
  const [primary] = failures;
  if (status !== "failed" || primary === undefined) return undefined;
  const reasons = failures.map(({ message }) => message);
  const lines = failures.length === 1 && !summary.includes("rolled back") ? reasons : [summary, ...reasons];
  const { code, recommendation } = primary;
  return taskListErrors.tasksUnchanged({ code, recommendation, lines: [...new Set(lines)] });
}

function describeError({ code, message, recommendation, recoverable }: DelegationError) {
  return { code, message, recommendation, recoverable };
}
