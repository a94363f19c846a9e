import type { Candidate, Delegation, Settlement } from "../../journal/store.ts";
import { findMergeTarget } from "../delegation/manager-branch.ts";
import { recordEvent } from "../delegation/record.ts";
import { settleMerged } from "../merged/close-delegation.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { closeWith, moved, type Step } from "../ports/step.ts";

/** Moves the manager's branch to the proven commit, once. If the branch moved meanwhile the work is proven again. */
export async function mergeVerified(tools: RunTools, delegation: Delegation): Promise<Step> {
  const { candidate, filesChanged } = delegation;
  if (candidate === null) return settleMerged(delegation);
  const { ref } = await findMergeTarget(tools, delegation);
  const result = await moveToProven(tools, delegation, { candidate, ref });
  if (result === "raced") {
    const data = { reason: `${ref} moved while the checks ran` };
    await recordEvent(tools, delegation, { type: "merge-repeated", data });
    return moved;
  }
  if (result === "held-elsewhere") return closeWith(await refuseHeld(tools, delegation, ref));
  const data = { into: ref, commit: candidate.commit, filesChanged: [...filesChanged] };
  await recordEvent(tools, delegation, { type: "delegation-merged", data });
  return settleMerged(delegation);
}

interface ProvenMove {
  readonly candidate: Candidate;
  readonly ref: string;
}

type MoveResult = Awaited<ReturnType<RunTools["git"]["moveBranch"]>>;

/** A branch moves only to commits that checks ran on; so work that was checked together is merged together. */
async function moveToProven(
  tools: RunTools,
  delegation: Delegation,
  { candidate, ref }: ProvenMove,
): Promise<MoveResult> {
  const { commit, onto, checkedOn } = candidate;
  const holdsSandboxedWork = await tools.store.hasSandboxedWork(delegation.story);
  const moveFrom = (from: string | null): Promise<MoveResult> =>
    tools.git.moveBranch({ ref, from, to: checkedOn, holdsSandboxedWork });
  if (checkedOn === commit) {
    const result = await moveFrom(onto);
    if (result !== "raced") return result;
  }
  const tip = await tools.git.readBranch(ref);
  // After a crash right after the move, other work may be merged on top of this commit already.
  if (tip !== null && (await tools.git.contains(tip, commit))) return "already";
  return (await leadsToChecked(tools, delegation, { tip, checkedOn })) ? moveFrom(tip) : "raced";
}

/** Whether the merges of delegations that are still verified lead from the branch to the commit that was checked. */
async function leadsToChecked(
  tools: RunTools,
  { story, parent }: Delegation,
  { tip, checkedOn }: { readonly tip: string | null; readonly checkedOn: string },
): Promise<boolean> {
  const proven = await tools.store.provenInStory(story);
  const merges = proven
    .filter((one) => one.parent === parent && one.state === "verified" && !one.cancelRequested)
    .flatMap(({ candidate }) => (candidate?.checkedOn === checkedOn ? [candidate] : []));
  const next = new Map(merges.map(({ onto, commit }) => [onto, commit]));
  let at: string | null | undefined = tip;
  while (at !== undefined && at !== checkedOn) at = next.get(at);
  return at === checkedOn;
}

/** Only the user may move a branch that is checked out somewhere. */
async function refuseHeld(tools: RunTools, delegation: Delegation, ref: string): Promise<Settlement> {
  const { id, filesChanged } = delegation;
  const message = `${ref} is checked out; switch to another branch, then ambit retry ${id}.`;
  const data = { code: "MERGE_REFUSED", message, files: [] };
  await recordEvent(tools, delegation, { type: "merge-refused", data });
  return { outcome: "partial", code: "MERGE_REFUSED", summary: message, filesChanged };
}
