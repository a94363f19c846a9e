import { safeText } from "../../base/safe-text.ts";
import type { Delegation } from "../../journal/store.ts";
import { findBroughtWork, readCommitTime, type ManagerHead } from "../delegation/manager-branch.ts";
import type { RunTools } from "../ports/run-tools.ts";

export type MadeCandidate =
  | { readonly kind: "commit"; readonly commit: string }
  | { readonly kind: "conflict"; readonly files: readonly string[] };

/** Merges the work with that of its manager, in memory. The same work gives the same commit after a crash. */
export async function makeCandidate(
  tools: RunTools,
  delegation: Delegation,
  target: ManagerHead,
): Promise<MadeCandidate> {
  const brought = await findBroughtWork(tools, delegation);
  if (brought.own !== undefined && brought.own.conflicts.length > 0)
    return { kind: "conflict", files: brought.own.conflicts };
  const tip = brought.tip ?? target.commit;
  if (await tools.git.contains(target.commit, tip)) return { kind: "commit", commit: target.commit };
  if (await tools.git.contains(tip, target.commit))
    return { kind: "commit", commit: await squashConflict(tools, { ...delegation, tip }, target.commit) };
  const merge = await tools.git.merge(target.commit, tip);
  if (merge.status === "conflict") return { kind: "conflict", files: merge.files };
  const message = `Merge ${delegation.id}: ${safeText(delegation.description)}\n`;
  const parents = [target.commit, tip];
  const timeSeconds = readCommitTime(delegation);
  const commit = await tools.git.commit({ tree: merge.tree, parents, message, timeSeconds });
  return { kind: "commit", commit };
}

/** A resolved conflict sits on a commit with conflict markers, which must not stay in the history. */
async function squashConflict(tools: RunTools, delegation: Delegation, onto: string): Promise<string> {
  const { tip, description, id } = delegation;
  if (tip === null || !wasInConflict(delegation)) return tip ?? onto;
  const message = `${safeText(description)}\n\nDelegation: ${id}\n`;
  const tree = await tools.git.treeOf(tip);
  return tools.git.commit({ tree, parents: [onto], message, timeSeconds: readCommitTime(delegation) });
}

export function wasInConflict({ turn }: Delegation): boolean {
  return (turn.counts.conflict ?? 0) > 0;
}
