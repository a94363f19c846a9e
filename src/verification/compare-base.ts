import type { CheckMeaning } from "../contract/task.ts";
import { makeCheckKey } from "./criteria/check-key.ts";
import type { CheckResult } from "./criteria/check-result.ts";

export interface BaseRules {
  /** A red check counts as passed if no test fails that did not fail before. */
  readonly allowRedBase: boolean;
  /** A check proves something only if it was red before. */
  readonly proveRed: boolean;
}

export interface BaseFacts {
  /** The same checks on the tree that the work started from. */
  readonly baseline: readonly CheckResult[];
  readonly hasChanges: boolean;
  readonly rules: BaseRules;
}

/** A result with what it means, compared with the tree that the work started from. */
export interface ComparedResult extends CheckResult {
  readonly meaning?: CheckMeaning;
  /** Tests that fail now and did not before. */
  readonly newlyFailing?: readonly string[];
}

/** Says of each command what its red or green means; a check whose result on the base is not known stays as it is. */
export function compareWithBase(
  results: readonly CheckResult[],
  facts: BaseFacts,
): readonly ComparedResult[] {
  return results.map((result) => compareResult(result, facts));
}

function compareResult(result: CheckResult, facts: BaseFacts): ComparedResult {
  const { check } = result.criterion;
  if (check === undefined || !("command" in check || "file" in check)) return result;
  const before = facts.baseline.find(
    ({ criterion }) => makeCheckKey(criterion.check) === makeCheckKey(check),
  );
  if (before === undefined) return facts.rules.proveRed ? refuseUnknown(result) : result;
  if (result.verdict === "unverified") return result;
  return applyRules(describeComparison(result, before, facts.hasChanges), facts.rules);
}

function describeComparison(result: CheckResult, before: CheckResult, hasChanges: boolean): ComparedResult {
  const meaning = findMeaning(result, before, hasChanges);
  const known = new Set(listFailing(before));
  const newlyFailing = listFailing(result).filter((name) => !known.has(name));
  return addLine({ ...result, meaning, newlyFailing }, explainMeaning(meaning, newlyFailing));
}

function findMeaning(result: CheckResult, before: CheckResult, hasChanges: boolean): CheckMeaning {
  const [wasRed, isGreen] = [before.verdict === "failed", result.verdict === "passed"];
  if (!isGreen) return wasRed ? "red-before" : "broken";
  // On the same tree, red and then green is chance.
  if (!hasChanges) return "proves-nothing";
  return wasRed ? "proves" : "no-regression";
}

const MAX_NAMED = 10;

function explainMeaning(meaning: CheckMeaning, newlyFailing: readonly string[]): string {
  const named = newlyFailing.slice(0, MAX_NAMED).join(", ");
  const more = newlyFailing.length > MAX_NAMED ? ` and ${newlyFailing.length - MAX_NAMED} more` : "";
  switch (meaning) {
    case "proves":
      return "It failed before the work and passes now, which proves the work.";
    case "no-regression":
      return "It passed before the work, too: this shows no regression, not that the work is there.";
    case "proves-nothing":
      return "It passes, but nothing was changed: this proves nothing.";
    case "broken":
      return `It passed before the work.${named === "" ? "" : ` New failures: ${named}${more}.`}`;
    case "red-before":
      return `It failed before the work, too.${named === "" ? "" : ` New failures: ${named}${more}.`}`;
  }
}

function applyRules(result: ComparedResult, { allowRedBase, proveRed }: BaseRules): ComparedResult {
  const { meaning, newlyFailing = [] } = result;
  const isComparable = listFailing(result).length > 0;
  if (allowRedBase && meaning === "red-before" && isComparable && newlyFailing.length === 0)
    return addLine(
      { ...result, verdict: "passed", code: null },
      "No test fails that did not fail before; accepted.",
    );
  if (allowRedBase && meaning === "red-before" && !isComparable)
    return addLine(result, "Its output names no failing tests that could be compared.");
  const isGreenBefore = meaning === "no-regression" || meaning === "proves-nothing";
  if (proveRed && isGreenBefore)
    return addLine({ ...result, verdict: "failed", code: "CHECK_FAILED" }, "It had to fail before the work.");
  return result;
}

function refuseUnknown(result: CheckResult): ComparedResult {
  if (result.verdict !== "passed") return result;
  const line = "Whether it failed before the work is not known, and it had to.";
  return addLine({ ...result, verdict: "unverified", code: "CHECK_NOT_RUN" }, line);
}

function listFailing({ proof }: CheckResult): readonly string[] {
  return proof?.kind === "command" ? (proof.failing ?? []) : [];
}

/** After the first line, which is the result itself. */
function addLine(result: ComparedResult, line: string): ComparedResult {
  const [first = "", ...rest] = result.evidence.split("\n");
  return { ...result, evidence: [first, line, ...rest].join("\n") };
}
