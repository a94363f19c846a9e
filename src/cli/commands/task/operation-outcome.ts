import { DelegationError } from "../../../base/delegation-error.ts";
import { exitCodeFor } from "../../../contract/error-code.ts";
import { exitCode } from "../../../contract/exit-code.ts";
import { renderOperation } from "../../../tasks/operation-return.ts";
import type { TaskChange, TaskFailure, TaskOperation } from "../../../tasks/task.ts";
import type { CommandContext, CommandOutcome } from "../../command-module.ts";
import { renderTaskOperation } from "../../render/task-operation.ts";
import { wireTask } from "./wire-task.ts";

/** Every change of tasks answers alike: the fields of R42, and for people what changed from what to what. */
export function operationOutcome(context: CommandContext, operation: TaskOperation): CommandOutcome {
  for (const warning of operation.warnings) context.warn(warning);
  const [primary] = operation.failures;
  if (operation.status !== "failed" || primary === undefined) {
    for (const { message } of operation.failures) context.warn(message);
    return {
      exitCode: operation.status === "partial" ? exitCode.partial : exitCode.completed,
      json: documentOf(operation),
      text: renderTaskOperation(operation, { ascii: context.ascii }),
    };
  }
  const error = errorOf(operation, primary);
  // People read an error on stderr; programs also need what was rolled back.
  if (!context.json) throw error;
  const { code, message, recommendation, recoverable } = error;
  return {
    exitCode: exitCodeFor(code),
    json: { error: { code, message, recommendation, recoverable }, ...documentOf(operation) },
    text: "",
  };
}

function documentOf(operation: TaskOperation): Readonly<Record<string, unknown>> {
  const { tasks, changes, imported, log, warnings } = operation;
  return {
    operation: operation.operation,
    dry_run: operation.dryRun,
    ...renderOperation(operation),
    tasks: tasks.map(wireTask),
    changes: changes.map(wireChange),
    imported: imported.map(wireChange),
    log,
    warnings,
  };
}

function wireChange({ taskId, kind, source, fields, before }: TaskChange) {
  return { task_id: taskId, kind, source, fields, before };
}

function errorOf(operation: TaskOperation, primary: TaskFailure): DelegationError {
  const { failures, summary } = operation;
  const reasons = failures.map(({ message }) => message);
  const message = failures.length === 1 && !summary.includes("rolled back") ? reasons : [summary, ...reasons];
  return new DelegationError({
    code: primary.code,
    message: [...new Set(message)].join("\n"),
    recommendation: primary.recommendation,
    recoverable: true,
  });
}
