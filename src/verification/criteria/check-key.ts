import { posix } from "node:path";
import type { CriterionCheck } from "../../contract/task.ts";

/**
 * The key that equal checks share, so that each runs once and its result counts for every criterion that has it.
 * Undefined if no program can check it.
 */
export function makeCheckKey(check: CriterionCheck | undefined): string | undefined {
  if (check === undefined || "manual" in check) return undefined;
  if ("command" in check) return `command ${check.command.trim()}${describeTerms(check)}`;
  if ("file" in check) return `file ${posix.normalize(check.file.trim())}`;
  return `changed ${check.changed.trim()}`;
}

/** A check in words: the text of a criterion that has no text of its own. */
export function describeCheck(check: CriterionCheck): string {
  if ("command" in check) return `\`${check.command.trim()}\` exits with code 0${describeTerms(check)}`;
  if ("file" in check) return `file ${check.file.trim()} exists`;
  if ("changed" in check) return `changes ${check.changed.trim()}`;
  return "decided by the manager or a person";
}

/** The words that a criterion's text would have for them. */
function describeTerms({ timeoutSeconds, retries }: Extract<CriterionCheck, { command: string }>): string {
  const limit = timeoutSeconds === undefined ? "" : ` within ${timeoutSeconds} s`;
  return retries === undefined ? limit : `${limit} with ${retries} ${retries === 1 ? "retry" : "retries"}`;
}
