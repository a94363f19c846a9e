import type { Clock } from "../base/clock.ts";
import { defaultLimits } from "../contract/limits.ts";
import { cycleGuard } from "../guards/cycle.ts";
import type { Delegation } from "../journal/store.ts";

const ROUNDS = 1000;

/**
 * Milliseconds one cycle check takes in this process on the longest line of ancestors among these delegations; null
 * without delegations. A check searches only that line, so the size of the store does not matter.
 */
export function measureCycleCheck(delegations: readonly Delegation[], clock: Clock): number | null {
  const deepest = delegations.toSorted((one, other) => other.depth - one.depth).at(0);
  if (deepest === undefined || deepest.depth === 0) return null;
  const facts = {
    callerDepth: deepest.depth,
    agentPath: deepest.path,
    idPath: deepest.path,
    storyDelegations: 0,
    callerWorkers: 0,
    batchSize: 1,
    callerContextTokens: 0,
    availableMicroUsd: null,
  };
  // These names are not on the line, so the check has to look at all of it.
  const request = { description: "", agent: "\0", targetId: "\0", contextTokens: 0 };
  const startedMs = clock.monotonicMs();
  for (let round = 0; round < ROUNDS; round += 1) cycleGuard(request, facts, defaultLimits);
  return (clock.monotonicMs() - startedMs) / ROUNDS;
}
