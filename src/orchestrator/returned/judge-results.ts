import type { Criterion } from "../../contract/task.ts";
import type { Approval, Delegation } from "../../journal/store.ts";
import type { ComparedResult } from "../../verification/compare-base.ts";
import { judgeWork, type Decision, type Judgement } from "../../verification/judge.ts";
import { findApproval } from "../approvals/ask-approval.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { readReviewDecisions } from "../review/find-review.ts";

export interface ResultsToJudge {
  readonly delegation: Delegation;
  readonly criteria: readonly Criterion[];
  readonly results: readonly ComparedResult[];
}

export interface Judged {
  readonly judgement: Judgement;
  /**
   * The criteria that a reviewer, a manager or a person has to decide first. Empty once a manager or a person has
   * answered.
   */
  readonly undecided: readonly Criterion[];
}

/** Judges work by the results of its checks and by the decisions of a reviewer, a manager or a person. It asks no one. */
export async function judgeResults(
  tools: RunTools,
  { delegation, criteria, results }: ResultsToJudge,
): Promise<Judged> {
  const asked = await findApproval(tools, delegation, "criterion");
  const { id, sessionId, agent, parent } = delegation;
  const reviewed = await readReviewDecisions(tools, delegation);
  const left = criteria.filter((one) => !reviewed.some(({ criterionId }) => criterionId === one.id));
  const decisions = [...reviewed, ...readDecisions(left, { asked, manager: parent })];
  const worker = [id, sessionId, ...(agent === null ? [] : [agent])];
  const baseline = results.filter(({ meaning }) => meaning === "red-before");
  const judgement = judgeWork({ criteria, results, decisions, worker, baseline });
  const open = judgement.criteria.filter((one) => judgement.blocking.includes(one.id) && isForPeople(one));
  const isUndecided = open.length > 0 && open.length === judgement.blocking.length;
  const isAnswered = asked !== undefined && asked.answer !== null;
  return { judgement, undecided: isUndecided && !isAnswered ? open : [] };
}

/** Whether no program can check it, and no one has decided it yet. */
function isForPeople({ check, verdict }: Criterion): boolean {
  return verdict === "unverified" && (check === undefined || "manual" in check);
}

/** One answer covers everything that was asked; it never changes the result of a check. */
function readDecisions(
  criteria: readonly Criterion[],
  { asked, manager }: { readonly asked: Approval | undefined; readonly manager: string | null },
): readonly Decision[] {
  if (asked === undefined || asked.answer === null || asked.answer === "expired") return [];
  const verdict = asked.answer === "rejected" ? "failed" : "passed";
  const isManager = manager !== null && asked.answeredBy === manager;
  const by = { role: isManager ? "manager" : "person", id: asked.answeredBy ?? "person" } as const;
  return criteria
    .filter((criterion) => criterion.check === undefined || "manual" in criterion.check)
    .map(({ id }) => ({
      criterionId: id,
      verdict,
      by,
      reason: asked.reason === "" ? "approved without a reason" : asked.reason,
    }));
}
