import { DelegationError, messageOf } from "../../base/delegation-error.ts";
import type { Delegation, Settlement } from "../../journal/store.ts";
import { mergeTarget } from "../delegation/manager-branch.ts";
import { dropAgentHome } from "../running/invoke/agent-home.ts";
import type { RunTools } from "../ports/run-tools.ts";
import type { WorkPlace } from "../project/work-places.ts";

/** Moves the manager's branch to the proven commit, once. Answers how the delegation ends, or that it must be proven again. */
export async function mergeWork(tools: RunTools, delegation: Delegation): Promise<Settlement | "again"> {
  const { id, story, attempt, candidate, filesChanged, summary } = delegation;
  const done: Settlement = { outcome: "completed", summary, filesChanged };
  if (candidate === null || delegation.state === "merged") return done;
  const { ref } = await mergeTarget(tools, delegation);
  const moved = await tools.git.moveBranch({ ref, from: candidate.onto, to: candidate.commit });
  if (moved === "raced" && !(await isThere(tools, ref, candidate.commit))) {
    const data = { reason: `${ref} moved while the checks ran` };
    await tools.store.record({ type: "merge-repeated", story, delegation: id, attempt, data });
    return "again";
  }
  if (moved === "held-elsewhere") return refuseHeld(tools, delegation, ref);
  await tools.store.record({
    type: "delegation-merged",
    story,
    delegation: id,
    attempt,
    data: { into: ref, commit: candidate.commit, filesChanged: [...filesChanged] },
  });
  return done;
}

/** Killed right after it moved the branch: others may have been merged on top before this one was taken up again. */
async function isThere(tools: RunTools, ref: string, commit: string): Promise<boolean> {
  const tip = await tools.git.readBranch(ref);
  return tip !== null && tools.git.contains(tip, commit);
}

/** A branch that is checked out somewhere is the user's to move. */
async function refuseHeld(tools: RunTools, delegation: Delegation, ref: string): Promise<Settlement> {
  const { id, story, attempt, filesChanged } = delegation;
  const message = `${ref} is checked out; switch to another branch, then ambit retry ${id}.`;
  const data = { code: "MERGE_REFUSED", message, files: [] };
  await tools.store.record({ type: "merge-refused", story, delegation: id, attempt, data });
  return { outcome: "partial", code: "MERGE_REFUSED", summary: message, filesChanged };
}

/** Exactly one terminal event. Its place is freed afterwards; after a crash in between, by `recover`. */
export async function closeDelegation(
  tools: RunTools,
  delegation: Delegation,
  settlement: Settlement,
): Promise<void> {
  const { id, attempt } = delegation;
  const settled = await tools.store.settle(id, attempt, settlement);
  if (settled === "open-workers") throw new TypeError(`${id} still has open workers`);
  if (settled === "unproven")
    throw new TypeError(`${id} cannot be ${settlement.outcome} from ${delegation.state}`);
  dropAgentHome(tools.stateDirectory, delegation);
}

/** Nobody waits for this: a folder that cannot be freed is a note, and `ambit doctor` finds it. */
export async function freeClosed(tools: RunTools, delegation: Delegation): Promise<void> {
  const { id } = delegation;
  const { keepWorkspaces } = await tools.settings();
  if (keepWorkspaces) return;
  try {
    await freePlace(tools, id);
  } catch (error) {
    const data = { text: `Its workspace could not be freed: ${messageOf(error)}`.slice(0, 2000) };
    const { story } = delegation;
    await tools.store.record({ type: "note-added", story, delegation: id, attempt: 0, data });
  }
}

/** Only what is kept elsewhere is deleted: a refusal leaves the place to `ambit doctor`. */
export async function freePlace(tools: RunTools, id: string): Promise<void> {
  const delegation = await tools.store.delegation(id);
  if (delegation?.state !== "closed" || delegation.workspace === null) return;
  const place = await placeIfThere(tools, delegation);
  const isMerged = delegation.outcome === "completed";
  if (place !== undefined && !(await place.release(!isMerged && delegation.filesChanged.length > 0))) return;
  const { story, workspace, tip } = delegation;
  const data = { path: workspace.path, tip };
  await tools.store.record({ type: "workspace-removed", story, delegation: id, attempt: 0, data });
}

/** Killed between freeing it and writing that down: then there is nothing left to free. */
async function placeIfThere(tools: RunTools, delegation: Delegation): Promise<WorkPlace | undefined> {
  try {
    return await tools.git.findPlace(delegation);
  } catch (error) {
    if (error instanceof DelegationError && error.code === "WORKSPACE_GONE") return undefined;
    throw error;
  }
}
