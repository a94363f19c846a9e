import { DelegationError } from "../../base/delegation-error.ts";
import type { Delegation } from "../../journal/store.ts";
import { workRefOf } from "../../workspace/branch-names.ts";
import { commitTime } from "../delegation/manager-branch.ts";
import type { RunTools } from "../ports/run-tools.ts";

/**
 * What the person sees now becomes the manager's newest work, from which its next workers start. The user's checkout
 * is only read. Says so in the journal when it is not what the last workers started from.
 */
export async function keepSnapshot(tools: RunTools, manager: Delegation): Promise<void> {
  const { id, story, attempt, tip: before } = manager;
  const snapshot = await tools.git.snapshot(id);
  const tip = before === null ? snapshot.commit : await goOn(tools, { manager, before, snapshot });
  if (tip === before) return;
  const moved = await tools.git.moveBranch({ ref: workRefOf(id), from: await kept(tools, id), to: tip });
  if (moved === "raced" || moved === "held-elsewhere") throw changedByOthers(workRefOf(id));
  // Nothing of it is work that was asked for, so there is nothing between the two.
  const data = { tip, base: tip, filesChanged: [] };
  await tools.store.record({ type: "work-kept", story, delegation: id, attempt, data });
}

interface Step {
  readonly manager: Delegation;
  readonly before: string;
  readonly snapshot: { readonly commit: string; readonly hasUncommittedWork: boolean };
}

/**
 * Each state follows the one before it, so that what the person has edited twice does not contradict itself; and it
 * follows their own commits, so that what they have merged of the story is known to be there.
 */
async function goOn(tools: RunTools, { manager, before, snapshot }: Step): Promise<string> {
  const { commit, hasUncommittedWork } = snapshot;
  if (await tools.git.contains(commit, before)) return commit;
  const tree = await tools.git.treeOf(commit);
  const isSame = tree === (await tools.git.treeOf(before));
  if (isSame && (hasUncommittedWork || (await tools.git.contains(before, commit)))) return before;
  const message = `What the person saw when ${manager.id} delegated\n`;
  const timeSeconds = commitTime(manager);
  return tools.git.commit({ tree, parents: [before, commit], message, timeSeconds });
}

function kept(tools: RunTools, id: string): Promise<string | null> {
  return tools.git.readBranch(workRefOf(id));
}

function changedByOthers(ref: string): DelegationError {
  return new DelegationError({
    code: "REF_CHANGE_REFUSED",
    message: `${ref} was changed by somebody else at the same moment.`,
    recommendation: "Ask again; nothing was delegated.",
    recoverable: true,
  });
}
