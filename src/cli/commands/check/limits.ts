import { DelegationError } from "../../../base/delegation-error.ts";
import { defaultLimits, hardCaps, type Limits } from "../../../contract/limits.ts";
import { contextBudgetGuard } from "../../../guards/context-budget.ts";
import { countGuard } from "../../../guards/count.ts";
import { depthGuard } from "../../../guards/depth.ts";
import { judgeDescription } from "../../../guards/description.ts";
import type { Failed, GuardFacts, GuardRequest, Verdict } from "../../../guards/verdict.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { wholeNumber } from "../../option-values.ts";
import { verdictOutcome } from "../../verdict-outcome.ts";

export function checkDepth(context: CommandContext, invocation: Invocation): CommandOutcome {
  const callerDepth = wholeNumber(invocation, "caller");
  const maxDepth = readMaxDepth(invocation);
  const verdict = depthGuard(request, { ...facts, callerDepth }, { ...defaultLimits, maxDepth });
  const fields = { allowed: verdict.ok, child_depth: callerDepth + 1 };
  const passed = `depth ${callerDepth + 1} is within ${maxDepth}`;
  return verdictOutcome({ fields, passed, failures: failuresOf(verdict) }, context);
}

export function checkBudget(context: CommandContext, invocation: Invocation): CommandOutcome {
  const callerContextTokens = wholeNumber(invocation, "parent");
  const contextTokens = wholeNumber(invocation, "child");
  const maxContextTokens = wholeNumber(invocation, "max");
  const limits: Limits = { ...defaultLimits, maxContextTokens };
  const verdict = contextBudgetGuard(
    { ...request, contextTokens },
    { ...facts, callerContextTokens },
    limits,
  );
  const passed = `${callerContextTokens + contextTokens} of ${maxContextTokens} tokens`;
  return verdictOutcome({ fields: { allowed: verdict.ok }, passed, failures: failuresOf(verdict) }, context);
}

export function checkCount(context: CommandContext, invocation: Invocation): CommandOutcome {
  const storyDelegations = wholeNumber(invocation, "existing");
  const batchSize = wholeNumber(invocation, "requested");
  const maxDelegations = wholeNumber(invocation, "max");
  refuseAboveCap("--max", maxDelegations, hardCaps.maxDelegations);
  // Only the story's own limit is asked about, so the caller may have as many workers as the story.
  const fanOut: Limits["fanOut"] = [maxDelegations, maxDelegations, maxDelegations];
  const limits: Limits = { ...defaultLimits, maxDelegations, fanOut };
  const verdict = countGuard(request, { ...facts, storyDelegations, batchSize }, limits);
  const passed = `${storyDelegations + batchSize} of ${maxDelegations} delegations`;
  return verdictOutcome({ fields: { allowed: verdict.ok }, passed, failures: failuresOf(verdict) }, context);
}

export function checkDescription(context: CommandContext, invocation: Invocation): CommandOutcome {
  const failures = judgeDescription(invocation.argument("text"), defaultLimits);
  return verdictOutcome(
    { fields: { safe: failures.length === 0 }, passed: "safe description", failures },
    context,
  );
}

/** A limit on the command line obeys the same cap as one in the configuration. */
export function readMaxDepth(invocation: Invocation): number {
  const maxDepth = wholeNumber(invocation, "max");
  refuseAboveCap("--max", maxDepth, hardCaps.maxDepth);
  return maxDepth;
}

function refuseAboveCap(flag: string, value: number, cap: number): void {
  if (value <= cap) return;
  throw new DelegationError({
    code: "CONFIG_OUT_OF_RANGE",
    message: `${flag} is ${value}; the hard cap is ${cap}`,
    recommendation: `Give ${flag} a number from 0 to ${cap}.`,
  });
}

function failuresOf(verdict: Verdict): readonly Failed[] {
  return verdict.ok ? [] : [verdict];
}

const request: GuardRequest = { description: "", contextTokens: 0 };

const facts: GuardFacts = {
  callerDepth: 0,
  agentPath: [],
  idPath: [],
  storyDelegations: 0,
  callerWorkers: 0,
  batchSize: 0,
  callerContextTokens: 0,
  availableMicroUsd: null,
};
