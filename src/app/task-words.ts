import { taskListErrors } from "../errors/work.ts";
import { parseMarker } from "../tasks/task.ts";

/** `343-345, 337` is one list, in however many words the shell passes it. */
export function joinSelection(words: readonly string[]): string {
  const parts = words.flatMap((word) => word.split(",")).map((part) => part.trim().replace(/^#/, ""));
  return parts.filter((part) => part !== "").join(",");
}

export interface StatusWords {
  readonly selection: string;
  readonly status: string;
}

/** The tasks, then the status, which may be two words: `343 344 not started`. */
export function splitStatus(words: readonly string[]): StatusWords {
  const isPair = words.length > 2 && !isStatus(words.slice(-1)) && isStatus(words.slice(-2));
  const length = isPair ? 2 : 1;
  const status = words.slice(-length).join(" ");
  const selection = joinSelection(words.slice(0, -length));
  if (selection !== "") return { selection, status };
  throw taskListErrors.statusWithoutTasks(status);
}

function isStatus(words: readonly string[]): boolean {
  return parseMarker(words.join(" ")) !== undefined;
}

/** `240,241`; an empty text means no dependencies. */
export function readTaskIds(text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined;
  const selection = joinSelection([text]);
  return selection === "" ? [] : selection.split(",");
}
