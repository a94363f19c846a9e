import type { StoredTask } from "./stored-task.ts";

export type TaskOperationName =
  | "create_task"
  | "update_status"
  | "update_task_metadata"
  | "link_artifacts"
  | "divide_task"
  | "archive_tasks"
  | "unarchive_tasks"
  | "sync_tasks"
  | "import_tasks"
  | "refresh_tasks";

/** One difference that the journal hears of; `fields` are the new values under their names in state.json. */
export interface TaskChange {
  readonly taskId: string;
  /** "adopted": first seen in files that were there before; "removed": gone with a branch or by hand. */
  readonly kind: "adopted" | "created" | "changed" | "archived" | "recovered" | "removed";
  /** Who made it: an operation of the store, or a hand in one of the two files (another branch included). */
  readonly source: "store" | "TODO.md" | "state.json";
  readonly fields: Readonly<Record<string, unknown>>;
  /** The values before, of those that had one. */
  readonly before: Readonly<Record<string, unknown>>;
}

/** Why one task of an operation was not changed. */
export interface TaskFailure {
  readonly taskId: string;
  readonly code: string;
  readonly message: string;
  readonly recommendation: string;
}

/** A field that both files changed since they last agreed, and which of them was the later (R141). */
export interface TaskConflict {
  readonly taskId: string;
  readonly field: string;
  readonly winner: "state.json" | "TODO.md";
  readonly stateValue: string;
  readonly todoValue: string;
  /** ISO times of the commit, or of the file where the line is not committed. */
  readonly timestampState: string;
  readonly timestampTodo: string;
}

/**
 * What an operation did, or with `dryRun` would do. A refusal is a value ("failed", with `failures`); only broken
 * files, a busy store or a malformed selection throw.
 */
export interface TaskOperation {
  readonly operation: TaskOperationName;
  /** "partial" only with `continueOnError`. */
  readonly status: "completed" | "partial" | "failed";
  readonly dryRun: boolean;
  /** One sentence for people. */
  readonly summary: string;
  /** What was asked for, in the order it was asked for (C25); of `create` and `import` what was made. */
  readonly taskIds: readonly string[];
  readonly succeeded: readonly string[];
  readonly failures: readonly TaskFailure[];
  /** The tasks that succeeded, as they are afterwards. */
  readonly tasks: readonly StoredTask[];
  /** Relative to the project's root. */
  readonly filesUpdated: readonly string[];
  readonly changes: readonly TaskChange[];
  /** Hand edits taken over on the way; not part of `changes`. */
  readonly imported: readonly TaskChange[];
  readonly conflicts: readonly TaskConflict[];
  /** The lines of R141, one for each conflict. */
  readonly log: readonly string[];
  readonly warnings: readonly string[];
  readonly division?: TaskDivision;
}

export interface TaskDivision {
  readonly parent: string;
  readonly subtasks: readonly string[];
  /** Not empty only after a failure. */
  readonly created: readonly string[];
  readonly rolledBack: readonly string[];
  readonly prompt: string | undefined;
}
