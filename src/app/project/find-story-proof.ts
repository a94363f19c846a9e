import { findWeakestProof, type WorkProof } from "../../contract/work-proof.ts";
import type { Delegation } from "../../journal/store.ts";
import { isLedWithoutAgent } from "../../orchestrator/delegation-kind.ts";

/**
 * How far the checks of a delegation prove it: not at all before it is accepted. A command or an external manager has no
 * criteria of its own: its workers do, and it is proven as well as the weakest of them.
 */
export function findStoryProof(root: Delegation, tree: readonly Delegation[]): WorkProof | null {
  if (!isLedWithoutAgent(root)) return root.proof;
  const did = tree.filter(({ parent, outcome, filesChanged }) => {
    return parent === root.id && outcome === "completed" && filesChanged.length > 0;
  });
  return findWeakestProof(did.map(({ proof }) => proof ?? "unchecked"));
}
