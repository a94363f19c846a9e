import { isRecord } from "../base/json.ts";
import { criterionCheckSchema, type CriterionCheck } from "../contract/task.ts";
import { readPendingFile } from "./files/pending-state.ts";
import { locateTaskFiles, type TaskReaderOptions } from "./files/place.ts";
import { parseState } from "./files/state-file.ts";
import type { StoredTask } from "./model/stored-task.ts";
import { readCriteria } from "./model/view-task.ts";

/** One criterion of a task's entry, with a check of its own where it has one. */
export interface TaskCriterion {
  readonly text: string;
  readonly required: boolean;
  readonly check?: CriterionCheck;
}

const MAX_CRITERIA = 100;

/** `criteria` or `acceptance_criteria` of the task's entry: texts, or objects with text and check. */
export function readTaskCriteria(
  task: Pick<StoredTask, "raw"> | undefined,
): readonly (string | TaskCriterion)[] {
  const { criteria, acceptance_criteria: accepted } = task?.raw ?? {};
  const list: readonly unknown[] = Array.isArray(criteria)
    ? criteria
    : Array.isArray(accepted)
      ? accepted
      : [];
  return list.slice(0, MAX_CRITERIA).flatMap(readCriterion);
}

function readCriterion(value: unknown): readonly (string | TaskCriterion)[] {
  if (typeof value === "string") return value.trim() === "" ? [] : [value];
  if (!isRecord(value) || typeof value["text"] !== "string") return [];
  const check = criterionCheckSchema.safeParse(value["check"]);
  const required = value["required"] !== false;
  return [{ text: value["text"], required, ...(check.success ? { check: check.data } : {}) }];
}

export interface ActiveCriteria {
  readonly task: string;
  /** The file, relative to the project. */
  readonly file: string;
  readonly sources: readonly (string | TaskCriterion)[];
}

/** The criteria of every active task: the texts that a story takes, and the checks that a workflow command takes too. */
export function readActiveCriteria(options: TaskReaderOptions): readonly ActiveCriteria[] {
  const place = locateTaskFiles(options);
  const file = place.paths.state;
  const { tasks } = parseState(readPendingFile(place, file), file);
  return [...tasks].map(([task, raw]) => ({
    task,
    file,
    sources: [...readCriteria(raw), ...readTaskCriteria({ raw })],
  }));
}
