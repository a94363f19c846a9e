import type { Limits } from "../contract/limits.ts";
import { passed, type Failed, type Guard, type GuardFacts } from "./verdict.ts";

/**
 * Counts the whole batch against the story and against the caller's own fan-out (C28):
 * either all of a batch fits, or nothing of it is created.
 */
export const countGuard: Guard = (_request, facts, limits) => {
  const inStory = facts.storyDelegations + facts.batchSize;
  if (inStory > limits.maxDelegations)
    return tooMany(inStory, limits.maxDelegations, "delegations per story");
  const fanOut = fanOutAt(facts, limits);
  const underCaller = facts.callerWorkers + facts.batchSize;
  if (underCaller > fanOut)
    return tooMany(underCaller, fanOut, `workers of one manager at depth ${facts.callerDepth}`);
  return passed("count_ok");
};

function fanOutAt(facts: GuardFacts, limits: Limits): number {
  return limits.fanOut[facts.callerDepth] ?? 0;
}

function tooMany(attempted: number, maximum: number, what: string): Failed {
  return {
    ok: false,
    code: "TOO_MANY_DELEGATIONS",
    message: `Too many delegations (${attempted}). Maximum: ${maximum}`,
    details: [`Attempted delegations: ${attempted}`, `Maximum allowed: ${maximum}`, `Limit: ${what}`, ""],
    suggestion: "Group related subtasks or reduce delegation count.",
  };
}
