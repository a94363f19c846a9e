export const delegationStates = [
  "queued",
  "running",
  "parked",
  "returned",
  "verified",
  "merged",
  "closed",
] as const;
export type DelegationState = (typeof delegationStates)[number];

/** How a delegation can end; `refused` ones are never admitted and have no state. */
export const outcomes = ["completed", "partial", "failed", "blocked", "cancelled", "timed_out"] as const;
export type Outcome = (typeof outcomes)[number];
