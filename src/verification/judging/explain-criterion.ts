import { safeText } from "../../base/safe-text.ts";
import type { Criterion } from "../../contract/task.ts";

const MOST_LINES = 8;
const LONGEST_LINE = 200;

/** What, the numbers, what to do next; in lines a terminal can show. */
export function explainCriterion(criterion: Criterion, wasRed: boolean): readonly string[] {
  const { id, required, verdict } = criterion;
  const subject = `${id} "${oneLine(criterion.text)}"`;
  const advisory = required ? "" : " (advisory)";
  const headline = `${subject}: ${verdict}${advisory}. ${numbersOf(criterion)}`.trimEnd();
  if (verdict === "passed" || verdict === "waived") return [headline];
  const output = criterion.proof?.kind === "command" ? lastLines(criterion.proof.output) : [];
  const before = wasRed ? ["  It was already failing before this work began."] : [];
  const said = output.length === 0 ? [] : ["  Last output:", ...output.map((line) => `    ${line}`)];
  return [headline, ...before, ...said, `  Next: ${nextStep(criterion, wasRed)}`];
}

/** A decision, where there is one, counts more than what a check found. */
function numbersOf({ evidence, decided_by: decider, reason }: Criterion): string {
  const found = oneLine(evidence?.split("\n")[0] ?? "");
  if (decider === undefined) return found;
  const decided = `Decided by ${oneLine(decider.id)} (${decider.role}): ${oneLine(reason ?? "")}`;
  return [decided, found].filter((part) => part !== "").join(" · ");
}

function nextStep(criterion: Criterion, wasRed: boolean): string {
  const { check, verdict, decided_by: decider } = criterion;
  const isManual = check === undefined || "manual" in check;
  if (isManual && verdict === "unverified")
    return "its manager decides it with a reason (`verify`), or a person does (`ambit approve`).";
  if (decider !== undefined) return "do what the decision asks for, then ask again.";
  if (verdict === "unverified")
    return "run the checks again (`ambit verify --rerun`), or a person waives it with a reason.";
  return wasRed
    ? "make it green first, or a person waives it with a reason."
    : "correct the work until it passes, or a person waives it with a reason.";
}

function lastLines(output: string): readonly string[] {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  return lines.slice(-MOST_LINES).map(oneLine);
}

function oneLine(text: string): string {
  const safe = safeText(text.trim());
  return safe.length <= LONGEST_LINE ? safe : `${safe.slice(0, LONGEST_LINE)}…`;
}
