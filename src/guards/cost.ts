import { passed, type Failed, type Guard } from "./verdict.ts";

/** Refuses a slice that the delegation limit does not allow or that the manager no longer has to lend. */
export const costGuard: Guard = (request, facts, limits) => {
  const asked = request.microUsd ?? 0;
  if (limits.delegationMicroUsd !== null && asked > limits.delegationMicroUsd) {
    return tooExpensive(asked, limits.delegationMicroUsd, "one delegation");
  }
  const available = facts.availableMicroUsd;
  if (available !== null && (asked > available || available <= 0)) {
    return tooExpensive(asked, available, "this manager's remaining budget");
  }
  return passed("cost_ok");
};

function tooExpensive(asked: number, maximum: number, what: string): Failed {
  return {
    ok: false,
    code: "COST_LIMIT_EXCEEDED",
    message: `Cost limit exceeded: ${formatDollars(asked)} asked, ${formatDollars(maximum)} left for ${what}.`,
    details: [`Requested budget: ${formatDollars(asked)}`, `Available: ${formatDollars(maximum)}`, ""],
    suggestion: "Ask for a smaller budget, finish running work first, or raise the limit with --budget.",
  };
}

/** Cents when that is exact, otherwise all six places: a refusal never shows a rounded limit. */
function formatDollars(microUsd: number): string {
  const places = microUsd % 10_000 === 0 ? 2 : 6;
  return `$${(microUsd / 1_000_000).toFixed(places)}`;
}
