import type { JournalEventType } from "./journal-event.ts";
import { delegationStates, type DelegationState, type Outcome } from "./outcome.ts";

type Transition = { readonly from: readonly DelegationState[]; readonly to: DelegationState };

const beforeClosed = delegationStates.filter((state) => state !== "closed");

/** The one table of state changes, used by every store, replay and interface. */
export const transitions: Readonly<Partial<Record<JournalEventType, Transition>>> = {
  "attempt-started": { from: ["queued"], to: "running" },
  "attempt-lost": { from: ["running", "returned", "verified"], to: "queued" },
  "attempt-retried": { from: ["running", "parked", "returned", "verified"], to: "queued" },
  "delegation-parked": { from: ["running", "parked"], to: "parked" },
  "delegation-rejoined": { from: ["parked"], to: "running" },
  "delegation-resumed": { from: ["parked"], to: "queued" },
  "delegation-returned": { from: ["running", "parked"], to: "returned" },
  "delegation-verified": { from: ["returned"], to: "verified" },
  "merge-repeated": { from: ["verified"], to: "returned" },
  "delegation-merged": { from: ["verified"], to: "merged" },
  "delegation-closed": { from: beforeClosed, to: "closed" },
};

/** Success needs proof first: only verified (nothing to merge) or merged work may close as completed. */
export function mayCloseAs(outcome: Outcome, state: DelegationState): boolean {
  if (state === "closed") return false;
  return outcome !== "completed" || state === "verified" || state === "merged";
}
