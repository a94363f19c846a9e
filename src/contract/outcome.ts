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

/** An outcome or state in the words of a sentence: `timed out`. */
export function nameOutcome(word: string): string {
  return word.replace("_", " ");
}
