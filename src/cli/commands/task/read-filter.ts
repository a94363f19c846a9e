import { DelegationError } from "../../../base/delegation-error.ts";
import { isInProgress, taskStatuses } from "../../../contract/task-status.ts";
import { parseMarker, type StoredTask } from "../../../tasks/task.ts";
import type { Invocation } from "../../command-module.ts";
import { usage } from "../../option-values.ts";
import { excerpt } from "../../../base/visible-text.ts";

type Matches = (task: StoredTask) => boolean;

/** Which tasks `--status`, `--lang` and `--priority` leave; each takes several, parted by commas. */
export function readFilter(invocation: Invocation): Matches {
  const statuses = wordsOf(invocation, "status").map(statusMatch);
  const languages = new Set(wordsOf(invocation, "lang").map((word) => word.toLowerCase()));
  const priorities = new Set(wordsOf(invocation, "priority").map(readPriority));
  return (task) =>
    (statuses.length === 0 || statuses.some((matches) => matches(task))) &&
    (languages.size === 0 || languages.has(task.language.toLowerCase())) &&
    (priorities.size === 0 || priorities.has(task.priority));
}

function wordsOf(invocation: Invocation, option: string): readonly string[] {
  const words = (invocation.option(option) ?? "").split(",").map((word) => word.trim());
  return words.filter((word) => word !== "");
}

/** `in progress` stands for all of its steps (C20), `unknown` for words of other tools. */
function statusMatch(word: string): Matches {
  const name = word.toLowerCase().replaceAll(" ", "_");
  if (name === "in_progress") return ({ status }) => status !== "unknown" && isInProgress(status);
  if (name === "unknown") return ({ status }) => status === "unknown";
  const wanted = parseMarker(word);
  if (wanted === undefined) throw unknownStatus(word);
  return ({ status }) => status === wanted;
}

function unknownStatus(word: string): DelegationError {
  return new DelegationError({
    code: "TASK_STATUS_UNKNOWN",
    message: `"${excerpt(word)}" is no status of a task`,
    recommendation: `Use one of: in_progress, ${taskStatuses.join(", ")}.`,
  });
}

function readPriority(word: string): string {
  const name = word.toLowerCase();
  if (["high", "medium", "low"].includes(name)) return name;
  throw usage(`--priority is "${excerpt(word)}"`, "Use high, medium or low.");
}
