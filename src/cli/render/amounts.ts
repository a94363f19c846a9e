import { formatSpent } from "../../base/money.ts";

/** `$3.70`: rounded half up to cents; `~` says that a part was estimated. Null and zero: it was not reported. */
export function renderUsd(dollars: number | null, isEstimated = false): string {
  // Documents carry whole micro-dollars; a float such as 0.29 must not lose its last cent.
  const micro = Math.round((dollars ?? 0) * 1_000_000);
  return isEstimated && micro > 0 ? `~${formatSpent(micro)}` : formatSpent(micro);
}
