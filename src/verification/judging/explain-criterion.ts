import { safeText } from "../../base/safe-text.ts";
import type { Criterion } from "../../contract/task.ts";
import { findFailure } from "../checks/failing-tests.ts";

const MAX_OUTPUT_LINES = 8;
const MAX_LINE_LENGTH = 200;
/** The evidence's sentence about the base, which is said here in other words. */
const RED_BEFORE = "It failed before the work, too.";
/** Frames and the version of Node itself say nothing about the project, and would take the place of lines that do. */
const FROM_NODE_ITSELF = /^\s*at .*\bnode:internal\/|^Node\.js v\d/;

/** Explains a criterion that is not met: what was found, and what to do next, in lines that a terminal can show. */
export function explainCriterion(criterion: Criterion, wasRed: boolean): readonly string[] {
  const { id, text, verdict, proof } = criterion;
  const headline = `${id} "${toOneLine(text)}": ${verdict}. ${describeFacts(criterion)}`.trimEnd();
  const written = proof?.kind === "command" ? describeOutput(proof.output) : [];
  const before = wasRed ? ["  It was already failing before this work began."] : [];
  const hints = listHints(criterion).map((line) => (wasRed ? line.replace(RED_BEFORE, "") : line));
  return [
    headline,
    ...before,
    ...hints.filter((line) => line.trim() !== "").map((line) => `  ${line.trim()}`),
    ...written,
    `  Next: ${adviseNextStep(criterion, wasRed)}`,
  ];
}

/** A decision counts more than what a check found. */
function describeFacts({ evidence, decided_by: decider, reason }: Criterion): string {
  const found = toOneLine(evidence?.split("\n")[0] ?? "");
  if (decider === undefined) return found;
  const decided = `Decided by ${toOneLine(decider.id)} (${decider.role}): ${toOneLine(reason ?? "")}`;
  return [decided, found].filter((part) => part !== "").join(" · ");
}

/**
 * Other possible reasons for a failed command: a taken port, a missing variable. Its evidence has them before its log.
 */
function listHints({ evidence = "", proof }: Criterion): readonly string[] {
  if (proof?.kind !== "command") return [];
  const lines = evidence.split("\n");
  const log = lines.findIndex((line) => line.startsWith("Log: "));
  return lines.slice(1, Math.max(1, log)).map(toOneLine);
}

function adviseNextStep(criterion: Criterion, wasRed: boolean): string {
  const { check, verdict, decided_by: decider, proof } = criterion;
  const isManual = check === undefined || "manual" in check;
  if (isManual && verdict === "unverified")
    return "its manager decides it with a reason (`verify`), or a person does (`ambit approve`).";
  if (decider !== undefined) return "do what the decision asks for, then ask again.";
  if (verdict === "unverified") return "run the checks again (`ambit verify --rerun`).";
  if (proof?.kind === "command" && proof.exit_code === 0) return "name a check that fails without the work.";
  return wasRed
    ? "correct the work until it passes, or repair first what made it fail before."
    : "correct the work until it passes.";
}

/** The lines that show the failure, where one can be found, else the last ones. */
function describeOutput(output: string): readonly string[] {
  const failure = listTellingLines(findFailure(output) ?? "").slice(0, MAX_OUTPUT_LINES);
  const shown = failure.length === 0 ? listTellingLines(output).slice(-MAX_OUTPUT_LINES) : failure;
  if (shown.length === 0) return [];
  const heading = failure.length === 0 ? "  Last output:" : "  Failure:";
  return [heading, ...shown.map((line) => `    ${toOneLine(line)}`)];
}

function listTellingLines(text: string): readonly string[] {
  return text.split("\n").filter((line) => line.trim() !== "" && !FROM_NODE_ITSELF.test(line));
}

function toOneLine(text: string): string {
  const safe = safeText(text.trim());
  return safe.length <= MAX_LINE_LENGTH ? safe : `${safe.slice(0, MAX_LINE_LENGTH)}…`;
}
