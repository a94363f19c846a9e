import { countFiles } from "../../../base/count-things.ts";
import type { Criterion } from "../../../contract/task.ts";
import type { AttemptFacts } from "./validate-return.ts";

/** The codes for an absent return. A refused return states a status or files, and that statement counts. */
const absentCodes: ReadonlySet<string> = new Set(["NOT_JSON", "NOT_AN_OBJECT", "INTERRUPTED"]);

/**
 * A program that ended well and left no return may still have done its work. Only its required criteria can tell, so
 * without a criterion that can be run nothing is proven.
 */
export function mayProveWithoutReturn(attempt: AttemptFacts): boolean {
  const criteria = attempt.delegation.work?.criteria ?? [];
  return lacksOnlyReturn(attempt) && criteria.some((one) => one.required && isRunnable(one));
}

/** It ended well, and there is no return: nothing it returned was refused. */
export function lacksOnlyReturn({ end, verdict }: Pick<AttemptFacts, "end" | "verdict">): boolean {
  return !verdict.valid && end.ok && verdict.codes.every((code) => absentCodes.has(code));
}

function isRunnable({ check }: Criterion): boolean {
  return check !== undefined && !("manual" in check);
}

/** The summary in place of the worker's. */
export function summarizeWithoutReturn({ work }: Pick<AttemptFacts, "work">): string {
  const count = work.filesChanged.length;
  const changed = count === 0 ? "changed nothing" : `changed ${countFiles(count)}`;
  return `The program exited successfully and ${changed}. It left no return, so Ambit wrote this summary.`;
}

export const MISSING_RETURN_NOTE = "no return; summary made by the runtime";
