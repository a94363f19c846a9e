import type { Outcome } from "../../contract/outcome.ts";
import type { Delegation } from "./store.ts";

/** The one word reports and exports use for a delegation: R98's three, and the other ways to end. */
export type DelegationStatus = "pending" | "running" | Outcome;

/** Waiting is pending; everything between its start and its end is running. */
export function delegationStatus(delegation: Pick<Delegation, "state" | "outcome">): DelegationStatus {
  if (delegation.state === "queued") return "pending";
  return delegation.outcome ?? "running";
}
