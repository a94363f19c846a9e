import { safeText } from "../../base/safe-text.ts";
import type { Criterion } from "../../contract/task.ts";

const MAX_OUTPUT_LINES = 8;
const MAX_LINE_LENGTH = 200;

/** Explains a criterion that is not met: what was found, and what to do next, in lines that a terminal can show. */
export function explainCriterion(criterion: Criterion, wasRed: boolean): readonly string[] {
  const { id, text, verdict, proof } = criterion;
  const headline = `${id} "${toOneLine(text)}": ${verdict}. ${describeFacts(criterion)}`.trimEnd();
  const output = proof?.kind === "command" ? readLastLines(proof.output) : [];
  const before = wasRed ? ["  It was already failing before this work began."] : [];
  const written = output.length === 0 ? [] : ["  Last output:", ...output.map((line) => `    ${line}`)];
  return [headline, ...before, ...written, `  Next: ${adviseNextStep(criterion, wasRed)}`];
}

/** A decision counts more than what a check found. */
function describeFacts({ evidence, decided_by: decider, reason }: Criterion): string {
  const found = toOneLine(evidence?.split("\n")[0] ?? "");
  if (decider === undefined) return found;
  const decided = `Decided by ${toOneLine(decider.id)} (${decider.role}): ${toOneLine(reason ?? "")}`;
  return [decided, found].filter((part) => part !== "").join(" · ");
}

function adviseNextStep(criterion: Criterion, wasRed: boolean): string {
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

function readLastLines(output: string): readonly string[] {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  return lines.slice(-MAX_OUTPUT_LINES).map(toOneLine);
}

function toOneLine(text: string): string {
  const safe = safeText(text.trim());
  return safe.length <= MAX_LINE_LENGTH ? safe : `${safe.slice(0, MAX_LINE_LENGTH)}…`;
}
