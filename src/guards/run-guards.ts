import type { Limits } from "../contract/limits.ts";
import { contextBudgetGuard } from "./context-budget.ts";
import { costGuard } from "./cost.ts";
import { countGuard } from "./count.ts";
import { cycleGuard } from "./cycle.ts";
import { depthGuard } from "./depth.ts";
import { descriptionGuard } from "./description.ts";
import type { Failed, Guard, GuardFacts, GuardRequest } from "./verdict.ts";

/** In order of importance: the first guard that fails gives the primary reason (C6). */
const guards: readonly Guard[] = [
  cycleGuard,
  depthGuard,
  countGuard,
  contextBudgetGuard,
  costGuard,
  descriptionGuard,
];

export interface GuardReport {
  /** Names of the checks that passed, for the audit trail (R16). */
  readonly checks: readonly string[];
  readonly warnings: readonly string[];
  /** All failures, the primary one first; empty means allowed. */
  readonly failures: readonly Failed[];
}

/** Runs every guard and reports every failure, so that a caller need not discover limits one at a time. */
export function runGuards(request: GuardRequest, facts: GuardFacts, limits: Limits): GuardReport {
  const verdicts = guards.map((guard) => guard(request, facts, limits));
  return {
    checks: verdicts.flatMap((verdict) => (verdict.ok ? [verdict.check] : [])),
    warnings: verdicts.flatMap((verdict) =>
      verdict.ok && verdict.warning !== undefined ? [verdict.warning] : [],
    ),
    failures: verdicts.flatMap((verdict) => (verdict.ok ? [] : [verdict])),
  };
}
