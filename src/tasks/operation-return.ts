import { parseTaskNumber, toWrittenId } from "./model/task-id.ts";
import type { TaskConflict, TaskFailure, TaskOperation } from "./model/task-operation.ts";

/** The wire form of an operation: status, summary, artifacts, metadata with the fields of R42, errors. */
export interface OperationReturn {
  readonly status: TaskOperation["status"];
  readonly summary: string;
  readonly artifacts: readonly [];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly errors: readonly OperationError[];
}

export interface OperationError {
  readonly type: string;
  readonly message: string;
  readonly code: string;
  readonly recoverable: boolean;
  readonly recommendation: string;
}

/** Renders an operation for other programs. `metadata` has the fields of the operation under the names of R42. */
export function renderOperation(operation: TaskOperation, sessionId: string): OperationReturn {
  return {
    status: operation.status,
    summary: operation.summary,
    artifacts: [],
    metadata: {
      session_id: sessionId,
      ...buildMetadata(operation),
      files_updated: operation.filesUpdated,
      ...(operation.dryRun ? { dry_run: true } : {}),
    },
    errors: operation.failures.map(renderFailure),
  };
}

function buildMetadata(operation: TaskOperation): Readonly<Record<string, unknown>> {
  const { succeeded, failures, conflicts } = operation;
  if (operation.division !== undefined) return buildDivisionFields(operation.division);
  if (operation.operation === "sync_tasks") {
    return {
      synced_tasks: succeeded.length,
      conflicts_resolved: conflicts.length,
      conflict_details: conflicts.map(renderConflictDetail),
    };
  }
  return {
    task_numbers: operation.taskIds.map(toWrittenId),
    success_count: succeeded.length,
    failure_count: failures.length,
  };
}

function buildDivisionFields({
  parent,
  subtasks,
  created,
  rolledBack,
  prompt,
}: NonNullable<TaskOperation["division"]>): Readonly<Record<string, unknown>> {
  const isWhole = subtasks.length > 0;
  return {
    parent_task: toWrittenId(parent),
    ...(isWhole ? { subtasks: subtasks.map(toWrittenId) } : {}),
    ...(isWhole
      ? {}
      : { subtasks_created: created.map(toWrittenId), subtasks_rolled_back: rolledBack.map(toWrittenId) }),
    ...(prompt === undefined ? {} : { optional_prompt: prompt }),
  };
}

function renderConflictDetail(conflict: TaskConflict): Readonly<Record<string, unknown>> {
  return {
    task_number: parseTaskNumber(conflict.taskId) ?? conflict.taskId,
    field: conflict.field,
    winner: conflict.winner,
    timestamp_state: conflict.timestampState,
    timestamp_todo: conflict.timestampTodo,
  };
}

function renderFailure({ code, message, recommendation }: TaskFailure): OperationError {
  const type = code === "SUBTASK_CREATION_FAILED" ? "execution" : "validation";
  return { type, message, code, recoverable: true, recommendation };
}
