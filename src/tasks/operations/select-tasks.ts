import { taskErrors } from "../../errors/tasks.ts";
import { parseRange } from "../model/ranges.ts";
import { normalizeId } from "../model/task-id.ts";
import type { TaskSelection } from "../model/stored-task.ts";

/** The ids of a selection in its order, each once (C25), or "all". */
export function selectTasks(
  selection: TaskSelection,
  isKnown: (id: string) => boolean,
): readonly string[] | "all" {
  const text = typeof selection === "object" ? selection.join(",") : String(selection);
  const range = parseRange(text);
  if ("error" in range) return selectTasksById(text, isKnown);
  if (range.rest !== "")
    throw taskErrors.selectionInvalid("INVALID_RANGE", `"${range.rest}" does not belong to a task number`);
  return "all" in range ? "all" : range.numbers.map(String);
}

/** Ids such as `12.1` and `US-3` are not ranges, but a list may mix them. */
function selectTasksById(text: string, isKnown: (id: string) => boolean): readonly string[] {
  const ids = new Set<string>();
  for (const piece of text.split(",")) {
    const id = normalizeId(piece);
    const range = id !== undefined && isKnown(id) ? undefined : parseRange(piece);
    if (range === undefined) ids.add(id ?? "");
    else if ("numbers" in range && range.rest === "")
      for (const number of range.numbers) ids.add(String(number));
    else
      throw "error" in range
        ? taskErrors.selectionInvalid(range.error, range.message)
        : taskErrors.selectionInvalid("INVALID_TASK_NUMBER", `"${piece}" is not a task number`);
  }
  return [...ids];
}
