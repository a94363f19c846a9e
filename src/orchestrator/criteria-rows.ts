import type { JournalEvent } from "../contract/journal-event.ts";
import type { CheckMeaning, Criterion, CriterionVerdict } from "../contract/task.ts";
import type { Approval, Delegation } from "../journal/store.ts";
import { describeCheck } from "../verification/read-criteria.ts";
import { nameApproval } from "./approvals/ask-approval.ts";

export { findAcceptedChecks } from "./returned/accepted-checks.ts";

/** One acceptance criterion and what is known about it. */
export interface CriterionRow {
  readonly id: string;
  readonly text: string;
  /** The way it is or would be proven, in words. */
  readonly check: string;
  readonly required: boolean;
  readonly verdict: CriterionVerdict;
  readonly evidence: string;
  /** `ambit` for a check, else the person or manager that decided. */
  readonly by: string | null;
  /** Its check failed first and passed when it was repeated. */
  readonly flaky?: boolean;
  /** The meaning of a passed or failed check, compared with the tree that the work started from. */
  readonly meaning?: CheckMeaning;
}

/** The journal's facts about a delegation's work. Only its newest attempt counts. */
export interface Recorded {
  readonly delegation: Delegation;
  readonly events: readonly JournalEvent[];
  readonly approvals: readonly Approval[];
}

/** Its own criteria first, then the checks of earlier accepted work that it had to keep passing. */
export function buildCriteriaRows(recorded: Recorded): readonly CriterionRow[] {
  const own = listOwnCriteria(recorded.delegation);
  const found = collectFindings(recorded);
  const kept = [...found.values()].filter(({ data }) => !own.some(({ id }) => id === data.criterionId));
  return [
    ...own.map((criterion) => buildOwnRow(criterion, found.get(criterion.id), recorded)),
    ...kept.map((event) => buildKeptRow(event, recorded)),
  ];
}

type Kept = Extract<JournalEvent, { type: "work-kept" }>;
type Finding = Extract<JournalEvent, { type: "criterion-checked" }>;

/** The newest finding about each criterion, in the order of first mention. */
function collectFindings({ events }: Recorded): ReadonlyMap<string, Finding> {
  const found = events.filter((event): event is Finding => event.type === "criterion-checked");
  return new Map(found.map((event) => [event.data.criterionId, event]));
}

/** Journals of earlier versions have only the texts. */
function listOwnCriteria({ work, criteria }: Delegation): readonly Criterion[] {
  if (work !== null) return work.criteria;
  return criteria.map((text, index) => ({
    id: `c${index + 1}`,
    text,
    required: true,
    verdict: "unverified" as const,
  }));
}

function buildOwnRow(criterion: Criterion, finding: Finding | undefined, recorded: Recorded): CriterionRow {
  const { id, text, required, check } = criterion;
  const { delegation, approvals } = recorded;
  const how = check === undefined ? describeCheck({ manual: true }) : describeCheck(check);
  const row = { id, text, check: how, required };
  const isManual = check === undefined || "manual" in check;
  // A reviewer that could not decide leaves it to the person.
  const isDecided = finding !== undefined && !(isManual && finding.data.verdict === "unverified");
  if (isDecided) return { ...row, ...describeFinding(finding, recorded) };
  if (delegation.waived.includes(id)) return { ...row, verdict: "waived", evidence: "", by: null };
  const decision = isManual ? findDecision(delegation, approvals) : undefined;
  if (decision === undefined && finding !== undefined)
    return { ...row, ...describeFinding(finding, recorded) };
  if (decision === undefined) return { ...row, verdict: "unverified", evidence: "", by: null };
  const verdict = decision.answer === "rejected" ? "failed" : "passed";
  return { ...row, verdict, evidence: decision.reason, by: decision.answeredBy };
}

/** One answer covers everything that no program can check, and only the attempt it was asked about. */
function findDecision(delegation: Delegation, approvals: readonly Approval[]): Approval | undefined {
  const asked = approvals.find(({ id }) => id === nameApproval(delegation, "criterion"));
  return asked === undefined || asked.answer === null || asked.answer === "expired" ? undefined : asked;
}

function buildKeptRow(finding: Finding, recorded: Recorded): CriterionRow {
  const { criterionId: id, text } = finding.data;
  return {
    id,
    text,
    check: "must stay as it was accepted",
    required: true,
    ...describeFinding(finding, recorded),
  };
}

/** A finding about an earlier attempt does not apply to the present work, unless no file has changed since. */
function describeFinding(
  { attempt, data }: Finding,
  recorded: Recorded,
): Pick<CriterionRow, "verdict" | "evidence" | "by" | "flaky" | "meaning"> {
  const { verdict, evidence, by, flaky, meaning } = data;
  const more = { ...(flaky === true ? { flaky } : {}), ...(meaning === undefined ? {} : { meaning }) };
  if (isAboutPresentWork(attempt, recorded)) return { verdict, evidence, by, ...more };
  return { verdict: "unverified", evidence: `attempt ${attempt} ${verdict}: ${evidence}`, by: null };
}

function isAboutPresentWork(attempt: number, { delegation, events }: Recorded): boolean {
  if (attempt === delegation.attempt) return true;
  const findTip = (number: number): string | undefined =>
    events.findLast((event): event is Kept => event.type === "work-kept" && event.attempt === number)?.data
      .tip;
  const tip = findTip(attempt);
  return tip !== undefined && tip === findTip(delegation.attempt);
}

/** Required, and neither passed nor waived. */
export function listUnmetRows(rows: readonly CriterionRow[]): readonly CriterionRow[] {
  return rows.filter(({ required, verdict }) => required && verdict !== "passed" && verdict !== "waived");
}
