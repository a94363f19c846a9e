import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomically } from "../../base/files.ts";
import { findManagerHead, readCommitTime } from "../delegation/manager-branch.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { judgeOutcome, type Ended } from "./judge-ending.ts";
import { markPhases } from "./plan-phases.ts";
import { keepTip, listPlannedPhases, markProvenPhases } from "./proven-phases.ts";

/**
 * A plan that the person has not committed is not part of the story's branch, because merging the branch would then
 * contradict the person's own copy. Its branch gets the plan back unchanged; the copy is marked when all of the plan is
 * done. A committed plan travels on the branch with its markers.
 */
export async function settlePlan(tools: RunTools, ended: Ended): Promise<void> {
  const { root, facts } = ended;
  if (facts.plan === null || listPlannedPhases(facts).length === 0 || root.base === null) return;
  const { path } = facts.plan;
  const own = await tools.workflow.readFile(root.base, path);
  const committed = await tools.workflow.readHeadFile(path);
  if (own === undefined || committed?.equals(own) === true) return markProvenPhases(tools, ended);
  await restorePlan(tools, ended, { path, content: own });
  if (judgeOutcome(ended) === "completed") markOwnCopy(join(tools.workflow.projectRoot, path), ended);
}

async function restorePlan(
  tools: RunTools,
  { root, worker }: Ended,
  { path, content }: { readonly path: string; readonly content: Buffer },
): Promise<void> {
  const { ref, branchTip, commit } = await findManagerHead(tools, root.id);
  if (branchTip === null) return;
  const onBranch = await tools.workflow.readFile(commit, path);
  if (onBranch?.equals(content) === true) return;
  const tree = await tools.workflow.replaceFile({ commit, path, content });
  const message = `Leave ${path} to its owner: it is not committed\n\nStory: ${root.story}\n`;
  const timeSeconds = readCommitTime(worker);
  const restored = await tools.git.commit({ tree, parents: [commit], message, timeSeconds });
  await keepTip(tools, root, restored);
  await tools.git.moveBranch({ ref, from: branchTip, to: restored });
}

/** Only markers change, so the person's own edits stay. Links are not followed. */
function markOwnCopy(file: string, { done }: Ended): void {
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return;
  const text = readFileSync(file, "utf8");
  const marked = markPhases(text, done);
  if (marked !== text) writeFileAtomically(file, marked, { isInPlace: true });
}
