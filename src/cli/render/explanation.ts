import { groupDigits } from "../../base/group-digits.ts";
import { cutDetails } from "../../base/cut-details.ts";
import { safeText } from "../../base/safe-text.ts";
import type { WorkExplanation } from "../../app/explain.ts";
import { nameOutcome } from "../../contract/outcome.ts";
import { listVerdictNotes } from "../../contract/work-proof.ts";
import { renderUsd } from "./amounts.ts";
import { renderColumns } from "./columns.ts";
import { renderDuration } from "../../base/duration-text.ts";
import type { Paint } from "../terminal/paint.ts";
import { plainLine } from "../terminal/runner-commands.ts";

export interface ExplanationStyle {
  readonly ascii: boolean;
  readonly paint: Paint;
  /** Every problem, not only the newest. */
  readonly all: boolean;
}

/** The answer first, then what it rests on, then what to do. Parts with nothing in them are left out. */
export function renderExplanation(explanation: WorkExplanation, style: ExplanationStyle): string {
  const { id, description, state, outcome, why, code, code_means: means } = explanation;
  const headline = style.paint.bold(`${safeText(id)}: ${safeText(description)}`);
  const reasons = [...why.filter(Boolean), ...(means === null ? [] : [`${code ?? ""} means: ${means}`])];
  const parts = [
    [`${headline}  [${nameOutcome(outcome ?? state)}]`, ...reasons.flatMap(renderReason)],
    part("Who does it", renderRoute(explanation, style), style),
    part("Spent", renderSpent(explanation), style),
    part("Criteria", renderCriteria(explanation, style), style),
    part("Answers", explanation.answers.map(safeText), style),
    part("Refused delegations", renderRefusals(explanation), style),
    part("Failures on the way", renderProblems(explanation, style), style),
    part("Limits", renderLimits(explanation), style),
    part("Next", explanation.next, style),
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

/** The output of a check keeps its lines. */
function renderReason(reason: string): readonly string[] {
  return reason.split("\n").map((line) => `  ${plainLine(safeText(line))}`);
}

function part(title: string, lines: readonly string[], { paint }: ExplanationStyle): readonly string[] {
  return lines.length === 0 ? [] : [paint.bold(title), ...lines.map((line) => `  ${line}`)];
}

/** The chosen agent with the reasons, and the checks that the request passed. */
function renderRoute({ route, guards }: WorkExplanation, { ascii }: ExplanationStyle): readonly string[] {
  const driven = [route.adapter, route.model].filter((part) => part !== null).join(ascii ? "/" : "·");
  const who = `${route.agent ?? "its manager's agent"}${driven === "" ? "" : ` (${driven})`}`;
  return [
    safeText(who),
    ...route.reasons.map(safeText),
    ...(guards.passed.length === 0
      ? []
      : [`passed before it began: ${guards.passed.map(safeText).join(", ")}`]),
    ...guards.warnings.map((warning) => `warned: ${safeText(warning)}`),
  ];
}

function renderSpent({ spent }: WorkExplanation): readonly string[] {
  const { cost_usd: own, with_workers_usd: all, tokens_in: read, tokens_out: written, estimated } = spent;
  const workers = all === own ? "" : `, ${renderUsd(all, estimated)} with its workers`;
  const stages = Object.entries(spent.stage_ms).map(([stage, time]) => `${stage} ${renderDuration(time)}`);
  return [
    `${renderUsd(own, estimated)}${workers}, ${groupDigits(read)} tokens in, ${groupDigits(written)} out`,
    ...spent.attempts.map(describeAttempt),
    ...(stages.length === 0 ? [] : [`time by stage: ${stages.join(", ")}`]),
  ];
}

function describeAttempt({
  attempt,
  duration_ms: duration,
  cost_usd: cost,
  ended,
  machine,
}: WorkExplanation["spent"]["attempts"][number]): string {
  const time = duration === null ? "no time known" : renderDuration(duration);
  const where = machine === null ? "" : ` on ${safeText(machine)}`;
  return `attempt ${attempt}${where}: ${time}, ${renderUsd(cost)}, ${ended === null ? "not ended" : safeText(ended)}`;
}

function renderCriteria({ criteria }: WorkExplanation, { ascii }: ExplanationStyle): readonly string[] {
  return criteria.flatMap(({ text, verdict, required, by, evidence, flaky, meaning }) => {
    const isMet = verdict === "passed" || verdict === "waived";
    const mark = isMet ? (ascii ? "+" : "✔") : verdict === "failed" ? (ascii ? "x" : "✖") : "?";
    const notes = [...(required ? [] : ["advice only"]), ...listVerdictNotes({ flaky, meaning })];
    const told = notes.length === 0 ? "" : ` (${notes.join("; ")})`;
    const line = `${mark} ${verdict.padEnd("unverified".length)}  ${safeText(text)}${told}`;
    // Of a decision the reason is the only proof.
    const isDecided = by !== null && by !== "ambit";
    return isDecided ? [line, `    by ${safeText(by)}: ${safeText(evidence)}`] : [line];
  });
}

function renderRefusals({ refusals }: WorkExplanation): readonly string[] {
  return refusals.flatMap(({ parent, description, failures }) => [
    `${safeText(parent)} asked for "${safeText(description)}"`,
    ...failures.map(({ code, message }) => `  ${safeText(code)}  ${safeText(message)}`),
  ]);
}

const PROBLEMS_SHOWN = 8;

function renderProblems({ problems }: WorkExplanation, { all }: ExplanationStyle): readonly string[] {
  const shown = all ? problems : problems.slice(-PROBLEMS_SHOWN);
  const hidden = problems.length - shown.length;
  return [
    ...(hidden === 0 ? [] : [`${hidden} earlier: -v shows them`]),
    ...shown.map(({ attempt, code, message }) => {
      const when = attempt === 0 ? "" : `attempt ${attempt}: `;
      return `${when}${code === null ? "" : `${safeText(code)}  `}${safeText(cutDetails(message))}`;
    }),
  ];
}

function renderLimits({ limits }: WorkExplanation): readonly string[] {
  const rows = limits.map(({ limit, used, allowed, origin }) => [
    limit,
    used ?? "-",
    allowed,
    safeText(origin),
  ]);
  return renderColumns([["limit", "used", "allowed", "from"], ...rows]).split("\n");
}
