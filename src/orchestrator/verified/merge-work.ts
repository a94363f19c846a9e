import type { Delegation, Settlement } from "../../journal/store.ts";
import { findMergeTarget } from "../delegation/manager-branch.ts";
import { recordEvent } from "../delegation/record.ts";
import { settleMerged } from "../merged/close-delegation.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { closeWith, moved, type Step } from "../ports/step.ts";

/** Moves the manager's branch to the proven commit, once. When the branch moved meanwhile the work is proven again. */
export async function mergeVerified(tools: RunTools, delegation: Delegation): Promise<Step> {
  const { candidate, filesChanged } = delegation;
  if (candidate === null) return settleMerged(delegation);
  const { ref } = await findMergeTarget(tools, delegation);
  const holdsSandboxedWork = await tools.store.hasSandboxedWork(delegation.story);
  const move = { ref, from: candidate.onto, to: candidate.commit, holdsSandboxedWork };
  const result = await tools.git.moveBranch(move);
  if (result === "raced" && !(await isOnBranch(tools, ref, candidate.commit))) {
    const data = { reason: `${ref} moved while the checks ran` };
    await recordEvent(tools, delegation, { type: "merge-repeated", data });
    return moved;
  }
  if (result === "held-elsewhere") return closeWith(await refuseHeld(tools, delegation, ref));
  const data = { into: ref, commit: candidate.commit, filesChanged: [...filesChanged] };
  await recordEvent(tools, delegation, { type: "delegation-merged", data });
  return settleMerged(delegation);
}

/** After a crash right behind the move, other work may be merged on top of this commit already. */
async function isOnBranch(tools: RunTools, ref: string, commit: string): Promise<boolean> {
  const tip = await tools.git.readBranch(ref);
  return tip !== null && tools.git.contains(tip, commit);
}

/** A branch that is checked out somewhere is the user's to move. */
async function refuseHeld(tools: RunTools, delegation: Delegation, ref: string): Promise<Settlement> {
  const { id, filesChanged } = delegation;
  const message = `${ref} is checked out; switch to another branch, then ambit retry ${id}.`;
  const data = { code: "MERGE_REFUSED", message, files: [] };
  await recordEvent(tools, delegation, { type: "merge-refused", data });
  return { outcome: "partial", code: "MERGE_REFUSED", summary: message, filesChanged };
}
