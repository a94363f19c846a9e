import { parseMarker } from "../../../tasks/task.ts";
import { usage } from "../../option-values.ts";

/** `343-345, 337` is one list, however many words the shell made of it; a word of its own needs no comma. */
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
  throw usage(
    `"${status}" alone does not say which tasks get which status`,
    "As in: ambit task status 343-345 planned",
  );
}

function isStatus(words: readonly string[]): boolean {
  return parseMarker(words.join(" ")) !== undefined;
}

/** `240,241`; empty takes all dependencies away. */
export function readTaskIds(text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined;
  const selection = joinSelection([text]);
  return selection === "" ? [] : selection.split(",");
}
