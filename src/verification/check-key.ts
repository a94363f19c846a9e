import { posix } from "node:path";
import type { CriterionCheck } from "../contract/task.ts";

/**
 * One name for checks that look at the same thing, so that each is run once and its outcome counts for all who ask for
 * it. Undefined for what no program can check.
 */
export function checkKey(check: CriterionCheck | undefined): string | undefined {
  if (check === undefined || "manual" in check) return undefined;
  if ("command" in check) return `command ${check.command.trim()}`;
  if ("file" in check) return `file ${posix.normalize(check.file.trim())}`;
  return `changed ${check.changed.trim()}`;
}

/** A check in words, as the text of a criterion that has none of its own. */
export function describeCheck(check: CriterionCheck): string {
  if ("command" in check) return `\`${check.command.trim()}\` exits with code 0`;
  if ("file" in check) return `file ${check.file.trim()} exists`;
  if ("changed" in check) return `changes ${check.changed.trim()}`;
  return "decided by the manager or a person";
}
