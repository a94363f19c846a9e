import type { Delegation } from "../../journal/store.ts";
import type { RunTools } from "../ports/run-tools.ts";

/** The branch that a manager's workers are merged into: a visible one for the story, a hidden ref for others. */
export function nameManagerBranch(manager: string, story: string): string {
  return manager === story ? `refs/heads/ambit/${story}` : `refs/ambit/integration/${manager}`;
}

export interface ManagerHead {
  readonly ref: string;
  /** The branch's commit; null while nothing has been merged into it. */
  readonly branchTip: string | null;
  /** Workers start from it and are merged with it: the branch together with the manager's own newest work. */
  readonly commit: string;
  /** Files in which the manager's own work conflicts with its workers'. */
  readonly conflicts: readonly string[];
}

/**
 * A manager keeps working while its workers' results arrive on its branch, so the two may diverge. If they conflict the
 * branch wins, because it is proven; the manager's own work is merged when it returns.
 */
export async function findManagerHead(tools: RunTools, managerId: string): Promise<ManagerHead> {
  const manager = await tools.store.delegation(managerId);
  if (manager === undefined) throw new TypeError(`${managerId} is not in the store`);
  const ref = nameManagerBranch(manager.id, manager.story);
  const branchTip = await tools.git.readBranch(ref);
  const own = manager.tip ?? manager.base;
  if (own === null) throw new TypeError(`${managerId} has no workspace yet`);
  if (branchTip === null || (await tools.git.contains(own, branchTip)))
    return { ref, branchTip, commit: own, conflicts: [] };
  if (await tools.git.contains(branchTip, own)) return { ref, branchTip, commit: branchTip, conflicts: [] };
  const merge = await tools.git.merge(branchTip, own);
  if (merge.status === "conflict") return { ref, branchTip, commit: branchTip, conflicts: merge.files };
  const message = `Bring together the work of ${managerId} and its workers\n`;
  const parents = [branchTip, own];
  const timeSeconds = readCommitTime(manager);
  const commit = await tools.git.commit({ tree: merge.tree, parents, message, timeSeconds });
  return { ref, branchTip, commit, conflicts: [] };
}

/** The work that a worker brings: its own newest, together with what its own workers have completed. */
export async function findBroughtWork(
  tools: RunTools,
  { id, parent, workers, tip }: Delegation,
): Promise<{ readonly tip: string | null; readonly own?: ManagerHead }> {
  if (parent === null || workers === 0 || tip === null) return { tip };
  const own = await findManagerHead(tools, id);
  return { tip: own.conflicts.length === 0 ? own.commit : tip, own };
}

/**
 * The time comes from the journal, not from the clock: a merge that is repeated after a crash must be the same commit.
 */
export function readCommitTime({ admittedAt }: Delegation): number {
  return Math.floor(Date.parse(admittedAt) / 1000);
}

/**
 * The branch that this delegation's work is merged into, and the work to merge it with: its manager's branch, or the
 * story's own.
 */
export async function findMergeTarget(tools: RunTools, delegation: Delegation): Promise<ManagerHead> {
  if (delegation.parent !== null) return findManagerHead(tools, delegation.parent);
  const ref = nameManagerBranch(delegation.id, delegation.story);
  const branchTip = await tools.git.readBranch(ref);
  const commit = branchTip ?? delegation.base;
  if (commit === null) throw new TypeError(`${delegation.id} has no workspace yet`);
  return { ref, branchTip, commit, conflicts: [] };
}
