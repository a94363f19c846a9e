import { journalEventSchema } from "../../contract/journal-event.ts";
import type { WorkflowFacts } from "../../contract/workflow-facts.ts";
import type { Delegation } from "../../journal/store.ts";
import { workRefName } from "../../workspace/branch-names.ts";
import { findManagerHead, readCommitTime } from "../delegation/manager-branch.ts";
import { recordEvent } from "../delegation/record.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { markPhases, type PhaseName } from "./plan-phases.ts";

type Plan = NonNullable<WorkflowFacts["plan"]>;
export type PlannedPhase = NonNullable<Plan["todo"]>[number];

/** The phases that this command carries out; none if one worker does everything. */
export function listPlannedPhases({ plan }: WorkflowFacts): readonly PlannedPhase[] {
  return plan?.todo ?? [];
}

/** The workers of a command itself, in the order in which they began; the n-th carries out the n-th phase. */
export async function listOwnWorkers(
  { store }: Pick<RunTools, "store">,
  { id, story }: Pick<Delegation, "id" | "story">,
): Promise<readonly Delegation[]> {
  return (await store.storyTree(story)).filter(({ parent }) => parent === id);
}

/** The phases that were done before, and those that workers of this command proved. The journal alone decides. */
export async function findProvenPhases(
  tools: Pick<RunTools, "store">,
  facts: WorkflowFacts,
  workers: readonly Delegation[],
): Promise<readonly PhaseName[]> {
  const proven: PhaseName[] = [...(facts.plan?.done ?? [])];
  for (const [index, { number, title }] of listPlannedPhases(facts).entries()) {
    const worker = workers[index];
    if (worker === undefined || !(await isPhaseProven(tools, worker))) break;
    proven.push({ number, title });
  }
  return proven;
}

const MAX_EVENTS = 200;

/** A worker that changed nothing and passed no check has only claimed that its phase is done. */
async function isPhaseProven({ store }: Pick<RunTools, "store">, worker: Delegation): Promise<boolean> {
  const { id, story, outcome, filesChanged } = worker;
  if (outcome !== "completed") return false;
  if (filesChanged.length > 0) return true;
  const events = await store.newestEvents(MAX_EVENTS, { story, delegation: id });
  return events.some(({ body }) => {
    const event = journalEventSchema.parse(JSON.parse(body));
    return event.type === "delegation-verified" && event.data.passed > 0;
  });
}

export interface ProvenWork {
  readonly root: Delegation;
  readonly facts: WorkflowFacts;
  readonly done: readonly PhaseName[];
  /** The worker that ended last. */
  readonly worker: Delegation;
}

/**
 * Sets the markers of the plan on the story's branch to the proven state, whatever workers wrote there. The next phase
 * starts from this commit. Repeating it after a crash gives the same commit and changes nothing.
 */
export async function markProvenPhases(tools: RunTools, work: ProvenWork): Promise<void> {
  const { root, facts, worker, done } = work;
  const { ref, branchTip, commit } = await findManagerHead(tools, root.id);
  if (facts.plan === null || branchTip === null || done.length === (facts.plan.done?.length ?? 0)) return;
  const tree = await markPlan(tools, { commit, path: facts.plan.path, done });
  if (tree === undefined) return;
  const names = done.map(({ number }) => number).join(", ");
  const message = `Mark phase ${names} of ${facts.plan.path} as completed\n\nStory: ${root.story}\n`;
  const timeSeconds = readCommitTime(worker);
  const marked = await tools.git.commit({ tree, parents: [commit], message, timeSeconds });
  await keepTip(tools, root, marked);
  // If a person has the branch checked out or moved it, the next phase brings the markers along.
  await tools.git.moveBranch({ ref, from: branchTip, to: marked });
}

/** The command's own newest commit, from which its next worker starts. */
export async function keepTip(
  tools: RunTools,
  root: Pick<Delegation, "id" | "story" | "attempt" | "base">,
  tip: string,
): Promise<void> {
  const ref = workRefName(root.id);
  await tools.git.moveBranch({ ref, from: await tools.git.readBranch(ref), to: tip });
  const data = { tip, base: root.base ?? tip, filesChanged: [] };
  await recordEvent(tools, root, { type: "work-kept", data });
}

export interface PlanToMark {
  readonly commit: string;
  /** Used instead of the commit's own tree. */
  readonly tree?: string;
  readonly path: string;
  /** Used instead of the plan in the commit. */
  readonly text?: string | undefined;
  readonly done: readonly PhaseName[];
}

/** The tree in which the plan shows the proven state; undefined if it does so already, or if there is no plan. */
export async function markPlan(tools: RunTools, plan: PlanToMark): Promise<string | undefined> {
  const { commit, tree, path, done } = plan;
  const inCommit = await tools.workflow.readFile(tree ?? commit, path);
  const text = plan.text ?? inCommit?.toString("utf8");
  if (text === undefined) return undefined;
  const marked = Buffer.from(markPhases(text, done));
  if (inCommit?.equals(marked) === true) return undefined;
  return tools.workflow.replaceFile({
    commit,
    path,
    content: marked,
    ...(tree === undefined ? {} : { tree }),
  });
}
