import { reapLeftovers } from "../containment/reap-leftovers.ts";
import type { Delegation } from "../journal/store.ts";
import { attemptFiles, readProcessRecord } from "./attempt-files.ts";
import { keepAndClose } from "./close-broken.ts";
import type { RunTools } from "./run-tools.ts";

export interface Recovered {
  readonly id: string;
  readonly killed: number;
  readonly outcome: string;
}

const MOST_OPEN = 10_000;

/**
 * After a supervisor died: first nothing of it may run any more, then all it left is kept and closed, workers before
 * their managers. Every step may be killed and done again.
 */
export async function recoverOpenWork(tools: RunTools): Promise<readonly Recovered[]> {
  const open = await tools.store.openDelegations(MOST_OPEN);
  const begun = open.filter((delegation) => delegation.attempt > 0);
  const killed = new Map<string, number>();
  for (const delegation of begun) killed.set(delegation.id, await reap(tools, delegation));
  const recovered: Recovered[] = [];
  for (const delegation of open.toSorted((one, other) => other.depth - one.depth)) {
    const outcome = await keepAndClose(tools, delegation, {
      code: "ORPHANED",
      reason: "The supervisor died",
    });
    recovered.push({ id: delegation.id, killed: killed.get(delegation.id) ?? 0, outcome });
  }
  return recovered;
}

async function reap(tools: RunTools, delegation: Delegation): Promise<number> {
  const files = attemptFiles(tools.workspaces.stateDirectory, delegation);
  const record = readProcessRecord(files) ?? {
    runId: delegation.executionId,
    uid: process.getuid?.() ?? 0,
    identity: null,
    cgroup: null,
  };
  const [outcome] = await reapLeftovers([record]);
  return outcome?.killed.length ?? 0;
}
