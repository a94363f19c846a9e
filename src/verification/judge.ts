import type { Criterion, CriterionDecider, CriterionVerdict } from "../contract/task.ts";
import { checkKey } from "./check-key.ts";
import type { CheckResult } from "./check-result.ts";
import { chooseDecision, type Decision, type RejectedDecision, sortDecisions } from "./judging/decisions.ts";
import { explainCriterion } from "./judging/explain-criterion.ts";

export type { Decision, RejectedDecision } from "./judging/decisions.ts";

export interface JudgeRequest {
  readonly criteria: readonly Criterion[];
  readonly results: readonly CheckResult[];
  /** In the order they were made. */
  readonly decisions: readonly Decision[];
  /** Every name the worker goes by: delegation, session, agent. None of them decides. */
  readonly worker: readonly string[];
  /** The same checks on the tree the work began with, where somebody ran them. */
  readonly baseline?: readonly CheckResult[];
}

export interface Judgement {
  /** In the order given, with verdict, evidence, and who decided why. */
  readonly criteria: readonly Criterion[];
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  readonly unverified: readonly string[];
  readonly waived: readonly string[];
  /** Required, and neither passed nor waived. */
  readonly blocking: readonly string[];
  /** Not passed now, and failed before the work began. */
  readonly redBefore: readonly string[];
  readonly rejected: readonly RejectedDecision[];
  readonly isAccepted: boolean;
  /** For each blocking criterion: what, the numbers, what to do next. */
  readonly why: readonly string[];
}

/**
 * Decides about a piece of work from what checks found and what a manager, a reviewer or a person decided; from nothing
 * else. What a criterion said of itself before is not looked at, and no text changes a verdict.
 */
export function judge(request: JudgeRequest): Judgement {
  const machine = new Map(
    request.criteria.map((criterion) => [criterion, findResult(criterion, request.results)]),
  );
  const { valid, rejected } = sortDecisions(request.decisions, {
    worker: request.worker,
    criteria: request.criteria.map((criterion) => ({ criterion, result: machine.get(criterion) })),
  });
  const judged = request.criteria.map((criterion) =>
    settle(criterion, machine.get(criterion), chooseDecision(valid, criterion.id)),
  );
  const blocking = judged.filter(({ required, verdict }) => required && !isMet(verdict));
  const red = judged
    .filter(({ verdict }) => !isMet(verdict))
    .filter((one) => wasRed(one, request.baseline ?? []));
  const idsOf = (verdict: CriterionVerdict): readonly string[] =>
    judged.filter((criterion) => criterion.verdict === verdict).map(({ id }) => id);
  return {
    criteria: judged,
    passed: idsOf("passed"),
    failed: idsOf("failed"),
    unverified: idsOf("unverified"),
    waived: idsOf("waived"),
    blocking: blocking.map(({ id }) => id),
    redBefore: red.map(({ id }) => id),
    rejected,
    isAccepted: blocking.length === 0,
    why: blocking.flatMap((criterion) => explainCriterion(criterion, red.includes(criterion))),
  };
}

function isMet(verdict: CriterionVerdict): boolean {
  return verdict === "passed" || verdict === "waived";
}

const gravity = { failed: 2, unverified: 1, passed: 0 } as const;

/** The worst of what was found about this very check; a result for any other check says nothing about it. */
function findResult(criterion: Criterion, results: readonly CheckResult[]): CheckResult | undefined {
  const key = checkKey(criterion.check);
  if (key === undefined) return undefined;
  return results
    .filter((result) => checkKey(result.criterion.check) === key)
    .reduce<CheckResult | undefined>(
      (worst, result) =>
        worst === undefined || gravity[result.verdict] > gravity[worst.verdict] ? result : worst,
      undefined,
    );
}

function settle(
  criterion: Criterion,
  result: CheckResult | undefined,
  decision: Decision | undefined,
): Criterion {
  const { id, text, required, check } = criterion;
  const verdict = verdictOf(result?.verdict ?? "unverified", decision);
  return {
    id,
    text,
    required,
    ...(check === undefined ? {} : { check }),
    verdict,
    ...(result === undefined ? {} : { evidence: result.evidence }),
    ...(result?.proof === undefined ? {} : { proof: result.proof }),
    ...(decision === undefined ? {} : { decided_by: deciderOf(decision), reason: decision.reason.trim() }),
  };
}

/** A pass needs no waiver. */
function verdictOf(found: CheckResult["verdict"], decision: Decision | undefined): CriterionVerdict {
  if (decision === undefined) return found;
  return found === "passed" && decision.verdict === "waived" ? "passed" : decision.verdict;
}

function deciderOf({ by }: Decision): CriterionDecider {
  return { role: by.role, id: by.id.trim() };
}

function wasRed(criterion: Criterion, baseline: readonly CheckResult[]): boolean {
  return findResult(criterion, baseline)?.verdict === "failed";
}
