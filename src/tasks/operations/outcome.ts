import { countThings } from "../../base/count-things.ts";
import type { Draft } from "../planning/draft.ts";
import type { Sources } from "../planning/sources.ts";
import type { TaskDivision, TaskFailure, TaskOperationName } from "../model/task-operation.ts";

/** The result of planning an operation; the draft has the changes of the tasks that succeeded. */
export interface Outcome {
  readonly taskIds: readonly string[];
  readonly succeeded: readonly string[];
  readonly failures: readonly TaskFailure[];
  readonly summary: (conflicts: number) => string;
  readonly division?: TaskDivision;
}

export interface Operation {
  readonly name: TaskOperationName;
  /** For sync: selects the tasks to make equal before anything is compared. */
  readonly synced?: (sources: Sources) => (id: string) => boolean;
  readonly plan: (draft: Draft) => Outcome;
}

export function makeFailure(
  taskId: string,
  code: string,
  [message, recommendation]: readonly [string, string],
): TaskFailure {
  return { taskId, code, message, recommendation };
}

/** `1 task`, `4 tasks`. */
export function countTasks(count: number, noun = "task"): string {
  return countThings(count, noun);
}
