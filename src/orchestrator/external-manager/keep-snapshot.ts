import { orchestratorErrors } from "../../errors/orchestrator.ts";
import type { Delegation } from "../../journal/store.ts";
import { workRefName } from "../../workspace/branch-names.ts";
import { readCommitTime } from "../delegation/manager-branch.ts";
import { recordEvent } from "../delegation/record.ts";
import type { RunTools } from "../ports/run-tools.ts";

/**
 * Keeps the person's present files as the manager's newest work, from which its next workers start. The user's checkout
 * is only read. The journal gets an event if the snapshot differs from the one that the last workers started from.
 */
export async function keepSnapshot(tools: RunTools, manager: Delegation): Promise<void> {
  const { id, tip: before } = manager;
  const snapshot = await tools.git.snapshot(id);
  const tip = before === null ? snapshot.commit : await joinHistory(tools, { manager, before, snapshot });
  if (tip === before) return;
  const ref = workRefName(id);
  const result = await tools.git.moveBranch({ ref, from: await tools.git.readBranch(ref), to: tip });
  if (result === "raced" || result === "held-elsewhere") throw orchestratorErrors.workRefChanged(ref);
  // The person's own changes are not delegated work, so base and tip are the same.
  const data = { tip, base: tip, filesChanged: [] };
  await recordEvent(tools, manager, { type: "work-kept", data });
}

interface NewSnapshot {
  readonly manager: Delegation;
  readonly before: string;
  readonly snapshot: { readonly commit: string; readonly hasUncommittedWork: boolean };
}

/**
 * Each snapshot follows the one before it, so that a file edited twice does not conflict with itself. It also follows the
 * person's own commits, so that story work they have merged counts as present.
 */
async function joinHistory(tools: RunTools, { manager, before, snapshot }: NewSnapshot): Promise<string> {
  const { commit, hasUncommittedWork } = snapshot;
  if (await tools.git.contains(commit, before)) return commit;
  const tree = await tools.git.treeOf(commit);
  const isSame = tree === (await tools.git.treeOf(before));
  if (isSame && (hasUncommittedWork || (await tools.git.contains(before, commit)))) return before;
  const message = `The person's files when ${manager.id} delegated\n`;
  const timeSeconds = readCommitTime(manager);
  return tools.git.commit({ tree, parents: [before, commit], message, timeSeconds });
}
