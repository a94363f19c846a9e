import type { Delegation } from "../journal/store.ts";
import { ratchetAfter, type Ratchet } from "../verification/ratchet.ts";
import type { RunTools } from "./run-tools.ts";

/**
 * The checks that merges into this manager's branch have passed so far, those of its workers' workers included,
 * because their work is in it. Read from the tree, so it is the same after a crash.
 */
export async function acceptedChecks(tools: RunTools, delegation: Delegation): Promise<Ratchet> {
  const tree = await tools.store.storyTree(delegation.story);
  const manager = delegation.parent ?? delegation.id;
  return tree
    .filter((other) => other.id !== delegation.id && isAccepted(other) && isBelow(tree, other, manager))
    .reduce<Ratchet>(
      (ratchet, other) =>
        ratchetAfter(ratchet, {
          from: other.id,
          criteria: (other.work?.criteria ?? []).filter(({ id }) => !other.waived.includes(id)),
        }),
      [],
    );
}

function isAccepted({ state, outcome }: Delegation): boolean {
  return state === "merged" || (state === "closed" && outcome === "completed");
}

/** Its own work, and everything on the way up, has arrived at the manager's branch. */
function isBelow(tree: readonly Delegation[], delegation: Delegation, manager: string): boolean {
  if (delegation.parent === manager) return true;
  const parent = tree.find(({ id }) => id === delegation.parent);
  return parent !== undefined && isAccepted(parent) && isBelow(tree, parent, manager);
}
