import type { Criterion, CriterionDecider } from "../../contract/task.ts";
import { makeCheckKey } from "../criteria/check-key.ts";
import type { CheckFinding } from "../criteria/check-result.ts";

/** A decision about a criterion by anyone but the worker. */
export interface Decision {
  readonly criterionId: string;
  readonly verdict: "passed" | "failed" | "waived";
  /** The identity the runtime knows, not one that is claimed. */
  readonly by: CriterionDecider;
  readonly reason: string;
}

export type DecisionCode =
  | "CRITERION_NOT_FOUND"
  | "DECISION_BY_WORKER"
  | "DECISION_WITHOUT_REASON"
  | "DECISION_NEEDS_PERSON"
  | "DECISION_AGAINST_CHECK";

export interface RejectedDecision {
  readonly decision: Decision;
  readonly code: DecisionCode;
  readonly message: string;
}

interface DecisionFacts {
  readonly worker: readonly string[];
  readonly criteria: readonly { readonly criterion: Criterion; readonly result: CheckFinding | undefined }[];
}

export interface SortedDecisions {
  readonly valid: readonly Decision[];
  readonly rejected: readonly RejectedDecision[];
}

export function sortDecisions(decisions: readonly Decision[], facts: DecisionFacts): SortedDecisions {
  const looked = decisions.map((decision) => ({ decision, problem: findProblem(decision, facts) }));
  return {
    valid: looked.filter(({ problem }) => problem === undefined).map(({ decision }) => decision),
    rejected: looked.flatMap(({ decision, problem }) =>
      problem === undefined ? [] : [{ decision, ...problem }],
    ),
  };
}

/** The last decision of a person counts; without one, the last decision of anyone. */
export function chooseDecision(valid: readonly Decision[], criterionId: string): Decision | undefined {
  const about = valid.filter((decision) => decision.criterionId === criterionId);
  return about.findLast(({ by }) => by.role === "person") ?? about.at(-1);
}

type Problem = Omit<RejectedDecision, "decision">;

function findProblem(decision: Decision, { worker, criteria }: DecisionFacts): Problem | undefined {
  const { criterionId, verdict, by } = decision;
  const about = criteria.filter(({ criterion }) => criterion.id === criterionId);
  if (about.length === 0)
    return { code: "CRITERION_NOT_FOUND", message: `Criterion "${criterionId}" does not exist.` };
  if (worker.some((name) => isSameName(name, by.id))) {
    const message = `${by.id} did the work on ${criterionId} and cannot decide about it. Its manager or a person can.`;
    return { code: "DECISION_BY_WORKER", message };
  }
  if (decision.reason.trim() === "") {
    const message = `A decision about ${criterionId} needs a reason. Say what you looked at.`;
    return { code: "DECISION_WITHOUT_REASON", message };
  }
  if (verdict === "waived" && by.role !== "person") {
    const message = `Only a person can waive ${criterionId}; ${by.id} is a ${by.role}.`;
    return { code: "DECISION_NEEDS_PERSON", message };
  }
  if (verdict === "passed" && about.some(({ criterion, result }) => isUnprovenCheck(criterion, result))) {
    const message = `The check of ${criterionId} has not passed, and a decision cannot replace it. Make it pass, or have a person waive it.`;
    return { code: "DECISION_AGAINST_CHECK", message };
  }
  return undefined;
}

function isUnprovenCheck({ check }: Criterion, result: CheckFinding | undefined): boolean {
  return makeCheckKey(check) !== undefined && result?.verdict !== "passed";
}

function isSameName(left: string, right: string): boolean {
  const plain = (name: string): string => name.normalize("NFKC").trim().toLowerCase();
  return plain(left) === plain(right);
}
