import { DelegationError } from "../../base/delegation-error.ts";
import { parseRange, type RangeProblem } from "../model/ranges.ts";
import { canonicalId } from "../model/task-id.ts";
import type { TaskSelection } from "../model/stored-task.ts";

/** The ids a selection names, in the order they were named and each once (C25), or "all". */
export function selectTasks(
  selection: TaskSelection,
  isKnown: (id: string) => boolean,
): readonly string[] | "all" {
  const text = typeof selection === "object" ? selection.join(",") : String(selection);
  const range = parseRange(text);
  if ("error" in range) return selectById(text, isKnown);
  if (range.rest !== "")
    throw refused({ error: "INVALID_RANGE", message: `"${range.rest}" belongs to no task number` });
  return "all" in range ? "all" : range.numbers.map(String);
}

/** Ids such as `12.1` and `US-3` are no ranges, but may stand in a list with them. */
function selectById(text: string, isKnown: (id: string) => boolean): readonly string[] {
  const ids = new Set<string>();
  for (const piece of text.split(",")) {
    const id = canonicalId(piece);
    const range = id !== undefined && isKnown(id) ? undefined : parseRange(piece);
    if (range === undefined) ids.add(id ?? "");
    else if ("numbers" in range && range.rest === "")
      for (const number of range.numbers) ids.add(String(number));
    else
      throw refused(
        "error" in range ? range : { error: "INVALID_TASK_NUMBER", message: `"${piece}" is no task number` },
      );
  }
  return [...ids];
}

function refused({ error, message }: RangeProblem): DelegationError {
  return new DelegationError({
    code: error,
    message,
    recommendation: 'Name tasks as 343, as 343-345, 337, or as "all". Nothing was changed.',
  });
}
