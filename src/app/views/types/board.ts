import type { Problem } from "./common.ts";

/** `GET /api/tasks`. */
export interface Board {
  readonly columns: readonly BoardColumn[];
  readonly tasks: readonly TaskCard[];
  /** Edits by hand, which the tasks show already; while there are any, a change of status must be confirmed. */
  readonly differences: readonly string[];
  /** Why the task store could not be read; null when it could. */
  readonly problem: Problem | null;
}

export interface BoardColumn {
  readonly id: "open" | "working" | "waiting" | "done" | "closed";
  readonly title: string;
  readonly statuses: readonly string[];
}

export interface TaskCard {
  readonly id: string;
  readonly number: number | null;
  readonly title: string;
  readonly description: string;
  readonly status: string;
  readonly priority: string;
  readonly language: string;
  readonly parent: string | null;
  readonly subtasks: readonly string[];
  readonly subtasksDone: number;
  readonly dependencies: readonly TaskDependency[];
  readonly artifacts: readonly string[];
  /** Statuses it may move to now. */
  readonly moves: readonly string[];
  /** The fields that a person changed in a file since both files agreed; `new` for a task that was added there. */
  readonly edited: readonly string[];
}

export interface TaskDependency {
  readonly id: string;
  readonly isDone: boolean;
}
