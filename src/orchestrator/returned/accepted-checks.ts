import type { Delegation, ProvenDelegation } from "../../journal/store.ts";
import { extendRatchet, type Ratchet } from "../../verification/ratchet.ts";
import type { RunTools } from "../ports/run-tools.ts";

/**
 * The checks that work on this manager's branch has passed so far, including its workers' workers, because their work is
 * in it. They are read from the tree, so they are the same after a crash. Work that is proven together with it counts as
 * accepted.
 */
export async function acceptedChecks(
  tools: RunTools,
  delegation: Delegation,
  soFar: AcceptedSoFar,
): Promise<Ratchet> {
  const tree = await tools.store.provenInStory(delegation.story, soFar.ahead);
  return findAcceptedChecks(
    await Promise.all(tree.map((one) => readMovedState(tools, one, soFar))),
    delegation,
  );
}

export interface AcceptedSoFar {
  /** The present commit of the branch. */
  readonly branchTip: string | null;
  /** Returned work that is merged just before. */
  readonly ahead?: readonly string[];
}

/** The branch may have moved before the runtime died without recording it; then the work is on it anyway. */
async function readMovedState(
  tools: RunTools,
  one: ProvenDelegation,
  { branchTip, ahead = [] }: AcceptedSoFar,
): Promise<ProvenDelegation> {
  if (ahead.includes(one.id)) return { ...one, state: "merged" };
  if (one.state !== "verified" || one.candidate === null || branchTip === null) return one;
  return (await tools.git.contains(branchTip, one.candidate.commit)) ? { ...one, state: "merged" } : one;
}

/** The same for a tree that was read already. */
export function findAcceptedChecks(tree: readonly ProvenDelegation[], delegation: Delegation): Ratchet {
  const manager = delegation.parent ?? delegation.id;
  return tree
    .filter(
      (other) => other.id !== delegation.id && isAccepted(other) && isBelowManager(tree, other, manager),
    )
    .reduce<Ratchet>(
      (ratchet, other) =>
        extendRatchet(ratchet, {
          from: other.id,
          criteria: (other.work?.criteria ?? []).filter(({ id }) => !other.waived.includes(id)),
        }),
      [],
    );
}

function isAccepted({ state, outcome }: ProvenDelegation): boolean {
  return state === "merged" || (state === "closed" && outcome === "completed");
}

/** Whether its work has arrived on the manager's branch, through every manager in between. */
function isBelowManager(
  tree: readonly ProvenDelegation[],
  delegation: ProvenDelegation,
  manager: string,
): boolean {
  if (delegation.parent === manager) return true;
  const parent = tree.find(({ id }) => id === delegation.parent);
  return parent !== undefined && isAccepted(parent) && isBelowManager(tree, parent, manager);
}
