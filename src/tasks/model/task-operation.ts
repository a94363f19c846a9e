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

/** One change for the journal; `fields` are the new values under their names in state.json. */
export interface TaskChange {
  readonly taskId: string;
  /** "adopted": first found in existing files; "removed": gone with a branch or by a hand edit. */
  readonly kind: "adopted" | "created" | "changed" | "archived" | "recovered" | "removed";
  /** The origin: an operation of the store, or an edit of one of the two files by a person or on another branch. */
  readonly source: "store" | "TODO.md" | "state.json";
  readonly fields: Readonly<Record<string, unknown>>;
  /** The previous values of the fields that had one. */
  readonly before: Readonly<Record<string, unknown>>;
}

/** The reason why an operation did not change one of its tasks. */
export interface TaskFailure {
  readonly taskId: string;
  readonly code: string;
  readonly message: string;
  readonly recommendation: string;
}

/** A field that changed in both files since they last agreed, and the file that changed later (R141). */
export interface TaskConflict {
  readonly taskId: string;
  readonly field: string;
  readonly winner: "state.json" | "TODO.md";
  readonly stateValue: string;
  readonly todoValue: string;
  /** ISO times of the commit, or of the file if the line is not committed. */
  readonly timestampState: string;
  readonly timestampTodo: string;
}

/**
 * The result of an operation, or its plan with `dryRun`. A refusal is a value ("failed", with `failures`); only broken
 * files, a busy store or a malformed selection throw.
 */
export interface TaskOperation {
  readonly operation: TaskOperationName;
  /** "partial" only with `continueOnError`. */
  readonly status: "completed" | "partial" | "failed";
  readonly dryRun: boolean;
  /** One sentence for people. */
  readonly summary: string;
  /** The selected tasks in the order of the selection (C25); for `create` and `import`, the new tasks. */
  readonly taskIds: readonly string[];
  readonly succeeded: readonly string[];
  readonly failures: readonly TaskFailure[];
  /** The changed tasks as they are afterwards. */
  readonly tasks: readonly StoredTask[];
  /** Relative to the project's root. */
  readonly filesUpdated: readonly string[];
  readonly changes: readonly TaskChange[];
  /** Hand edits that were imported first; not part of `changes`. */
  readonly imported: readonly TaskChange[];
  readonly conflicts: readonly TaskConflict[];
  /** One line for each conflict (R141). */
  readonly log: readonly string[];
  readonly warnings: readonly string[];
  readonly division?: TaskDivision;
}

export interface TaskDivision {
  readonly parent: string;
  readonly subtasks: readonly string[];
  /** Empty unless the division failed. */
  readonly created: readonly string[];
  readonly rolledBack: readonly string[];
  readonly prompt: string | undefined;
}
