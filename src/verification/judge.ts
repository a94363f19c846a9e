import { dropUndefined } from "../base/json.ts";
import type { Criterion, CriterionDecider, CriterionVerdict } from "../contract/task.ts";
import { makeCheckKey } from "./criteria/check-key.ts";
import type { CheckResult } from "./criteria/check-result.ts";
import { chooseDecision, type Decision, type RejectedDecision, sortDecisions } from "./judging/decisions.ts";
import { explainCriterion } from "./judging/explain-criterion.ts";

export type { Decision, RejectedDecision } from "./judging/decisions.ts";

export interface JudgeRequest {
  readonly criteria: readonly Criterion[];
  readonly results: readonly CheckResult[];
  /** In the order they were made. */
  readonly decisions: readonly Decision[];
  /** Every name of the worker (delegation, session, agent); none of them may decide. */
  readonly worker: readonly string[];
  /** The same checks on the tree the work began with, if they were run. */
  readonly baseline?: readonly CheckResult[];
}

export interface Judgement {
  /** In the order given, with verdict, evidence, and the decision with its reason. */
  readonly criteria: readonly Criterion[];
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  readonly unverified: readonly string[];
  readonly waived: readonly string[];
  /** Required, and neither passed nor waived. */
  readonly blocking: readonly string[];
  readonly rejected: readonly RejectedDecision[];
  readonly isAccepted: boolean;
  /** Explains each blocking criterion and what to do next. */
  readonly why: readonly string[];
}

/**
 * Judges work only by the results of checks and by decisions of a manager, a reviewer or a person. Earlier verdicts of
 * the criteria are ignored, and no text changes a verdict.
 */
export function judgeWork(request: JudgeRequest): Judgement {
  const machine = new Map(
    request.criteria.map((criterion) => [criterion, findWorstResult(criterion, request.results)]),
  );
  const { valid, rejected } = sortDecisions(request.decisions, {
    worker: request.worker,
    criteria: request.criteria.map((criterion) => ({ criterion, result: machine.get(criterion) })),
  });
  const judged = request.criteria.map((criterion) =>
    judgeCriterion(criterion, machine.get(criterion), chooseDecision(valid, criterion.id)),
  );
  const blocking = judged.filter(({ required, verdict }) => required && !isVerdictMet(verdict));
  const redBefore = new Set(
    judged
      .filter(({ verdict }) => !isVerdictMet(verdict))
      .filter((one) => wasAlreadyRed(one, request.baseline ?? [])),
  );
  const listIdsWith = (verdict: CriterionVerdict): readonly string[] =>
    judged.filter((criterion) => criterion.verdict === verdict).map(({ id }) => id);
  return {
    criteria: judged,
    passed: listIdsWith("passed"),
    failed: listIdsWith("failed"),
    unverified: listIdsWith("unverified"),
    waived: listIdsWith("waived"),
    blocking: blocking.map(({ id }) => id),
    rejected,
    isAccepted: blocking.length === 0,
    why: blocking.flatMap((criterion) => explainCriterion(criterion, redBefore.has(criterion))),
  };
}

function isVerdictMet(verdict: CriterionVerdict): boolean {
  return verdict === "passed" || verdict === "waived";
}

const gravity = { failed: 2, unverified: 1, passed: 0 } as const;

/** The worst result of this very check; results of other checks say nothing about it. */
function findWorstResult(criterion: Criterion, results: readonly CheckResult[]): CheckResult | undefined {
  const key = makeCheckKey(criterion.check);
  if (key === undefined) return undefined;
  return results
    .filter((result) => makeCheckKey(result.criterion.check) === key)
    .reduce<CheckResult | undefined>(
      (worst, result) =>
        worst === undefined || gravity[result.verdict] > gravity[worst.verdict] ? result : worst,
      undefined,
    );
}

function judgeCriterion(
  criterion: Criterion,
  result: CheckResult | undefined,
  decision: Decision | undefined,
): Criterion {
  const { id, text, required, check } = criterion;
  const verdict = chooseVerdict(result?.verdict ?? "unverified", decision);
  return {
    id,
    text,
    required,
    ...dropUndefined({ check }),
    verdict,
    ...dropUndefined({
      evidence: result?.evidence,
      proof: result?.proof,
      decided_by: decision === undefined ? undefined : trimDecider(decision),
      reason: decision?.reason.trim(),
    }),
  };
}

/** A waiver of a criterion that passed has no effect. */
function chooseVerdict(found: CheckResult["verdict"], decision: Decision | undefined): CriterionVerdict {
  if (decision === undefined) return found;
  return found === "passed" && decision.verdict === "waived" ? "passed" : decision.verdict;
}

function trimDecider({ by }: Decision): CriterionDecider {
  return { role: by.role, id: by.id.trim() };
}

function wasAlreadyRed(criterion: Criterion, baseline: readonly CheckResult[]): boolean {
  return findWorstResult(criterion, baseline)?.verdict === "failed";
}
