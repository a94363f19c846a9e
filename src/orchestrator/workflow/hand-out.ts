import { messageOf } from "../../base/delegation-error.ts";
import type { WorkflowFacts } from "../../contract/workflow-facts.ts";
import type { Admission, Delegation } from "../../journal/store.ts";
import { workRefOf } from "../../workspace/branch-names.ts";
import { commitTime, managerHead } from "../delegation/manager-branch.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { LEASE_MS } from "../running/prepare/prepare-attempt.ts";
import { routeDelegations } from "../opening/route.ts";
import type { WorkflowTools } from "../project/create-workflow-tools.ts";
import { statusDuring } from "./markers.ts";
import { notMergeable } from "./refusals.ts";

/** The command hands its work to the agent it was routed to: the one delegation it makes. */
export async function handOutWork(
  tools: RunTools,
  root: Delegation,
  facts: WorkflowFacts,
): Promise<Admission | undefined> {
  const { workflow } = tools;
  if (workflow === undefined) return undefined;
  const begun = await begin(tools, root);
  const manager = await keepStart(tools, { workflow, root: begun, facts });
  // Before the hand-out: whatever kills us now, the next look marks it again, and the end finds it marked.
  await markTask(tools, manager, facts);
  const admission = await admit(tools, manager, facts);
  if (admission?.admitted === true) await waitForWorker(tools, manager, admission.delegation.id);
  return admission;
}

/** The command has nothing to do until its worker has ended. */
export async function waitForWorker(tools: RunTools, root: Delegation, worker: string): Promise<void> {
  const { id, story, attempt } = root;
  const data = { waitingFor: [worker] };
  await tools.store.record({ type: "delegation-parked", story, delegation: id, attempt, data });
}

/** A task list that cannot be written, in the middle of somebody's merge perhaps, is no reason to stop the work. */
async function markTask(
  tools: RunTools,
  { id, story, attempt }: Delegation,
  facts: WorkflowFacts,
): Promise<void> {
  const text = await tryToMark(tools, story, facts);
  if (text === undefined) return;
  await tools.store.record({ type: "note-added", story, delegation: id, attempt, data: { text } });
}

/** Answers what went wrong. */
async function tryToMark(
  { workflow }: RunTools,
  story: string,
  { command, task }: WorkflowFacts,
): Promise<string | undefined> {
  const during = statusDuring(command);
  if (workflow === undefined || during === undefined || task === null) return undefined;
  try {
    const { failures } = await (await workflow.tasks(story)).change(task, { status: during });
    return failures[0]?.message;
  } catch (error) {
    return `Task ${task} could not be marked: ${messageOf(error)}`.slice(0, 2000);
  }
}

async function begin(tools: RunTools, root: Delegation): Promise<Delegation> {
  if (root.state !== "queued") return root;
  const { limits } = await tools.settings();
  const lease = { owner: tools.owner, leaseMs: LEASE_MS, maxConcurrent: limits.maxConcurrent };
  await tools.store.begin(root.id, root.attempt + 1, lease);
  return (await tools.store.delegation(root.id)) ?? root;
}

interface Start {
  readonly workflow: WorkflowTools;
  readonly root: Delegation;
  readonly facts: WorkflowFacts;
}

/** What the agent starts from: the person's present state without the task files, and what an earlier run left. */
async function keepStart(tools: RunTools, { workflow, root, facts }: Start): Promise<Delegation> {
  if (root.tip !== null) return root;
  const { id, story, attempt } = root;
  const { commit: base } = await workflow.snapshotWithout(id, facts.ownFiles);
  const tip = await withEarlierWork(tools, { root, base, facts });
  const ref = workRefOf(id);
  await tools.git.moveBranch({ ref, from: await tools.git.readBranch(ref), to: tip });
  const data = { tip, base, filesChanged: [] };
  await tools.store.record({ type: "work-kept", story, delegation: id, attempt, data });
  return (await tools.store.delegation(id)) ?? root;
}

async function withEarlierWork(
  tools: RunTools,
  { root, base, facts }: Omit<Start, "workflow"> & { readonly base: string },
): Promise<string> {
  const { continues, command, task } = facts;
  if (continues === null) return base;
  const { commit: left } = await managerHead(tools, continues);
  if (await tools.git.contains(base, left)) return base;
  if (await tools.git.contains(left, base)) return left;
  const merge = await tools.git.merge(base, left);
  if (merge.status === "conflict")
    throw notMergeable(continues, merge.files, `ambit ${command} ${task ?? ""}`.trim());
  const message = `Go on from ${continues}\n`;
  return tools.git.commit({
    tree: merge.tree,
    parents: [base, left],
    message,
    timeSeconds: commitTime(root),
  });
}

async function admit(
  tools: RunTools,
  manager: Delegation,
  facts: WorkflowFacts,
): Promise<Admission | undefined> {
  const { description, agent, timeoutSeconds, context, criteria } = facts;
  const request = { description, agent, timeout_seconds: timeoutSeconds, context };
  const [routed] = await routeDelegations(tools, manager, [request]);
  if (routed === undefined) return undefined;
  const { limit } = manager.money;
  const { delegationMicroUsd } = (await tools.store.story(manager.story))?.limits ?? {};
  // All of the story's money is for its one worker; a share for the command itself would only lie idle.
  const most = [limit, delegationMicroUsd ?? null].filter((amount) => amount !== null);
  const work = routed.work === undefined ? undefined : { ...routed.work, criteria: [...criteria] };
  const [admission] = await tools.store.admit({
    parent: manager.id,
    parentAttempt: manager.attempt,
    requests: [
      {
        ...routed,
        criteria: criteria.map(({ text }) => text),
        ...(work === undefined ? {} : { work }),
        ...(limit === null ? {} : { budgetMicroUsd: Math.min(...most) }),
      },
    ],
  });
  return admission;
}
