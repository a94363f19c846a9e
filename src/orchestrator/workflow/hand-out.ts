import { readErrorMessage } from "../../base/delegation-error.ts";
import type { WorkflowFacts } from "../../contract/workflow-facts.ts";
import { workflowErrors } from "../../errors/workflow.ts";
import type { Admission, Delegation } from "../../journal/store.ts";
import { workRefName } from "../../workspace/branch-names.ts";
import { readCommitTime, findManagerHead } from "../delegation/manager-branch.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { readLease } from "../delegation/lease.ts";
import { addNote, recordEvent } from "../delegation/record.ts";
import { routeDelegations } from "../opening/route.ts";
import { statusDuring } from "./markers.ts";

/** Delegates the command's work to the agent it was routed to: the one delegation that it makes. */
export async function handOutWork(
  tools: RunTools,
  root: Delegation,
  facts: WorkflowFacts,
): Promise<Admission> {
  const begun = await beginRoot(tools, root);
  const manager = await keepStart(tools, { root: begun, facts });
  // Before delegating: after a crash the next look marks it again, and the end finds it marked.
  await markTaskStarted(tools, manager, facts);
  const admission = await admitWorker(tools, manager, facts);
  if (admission.admitted) await waitForWorker(tools, manager, admission.delegation.id);
  if (admission === undefined) throw new TypeError(`${manager.id} was neither admitted nor refused`);
  return admission;
}

/** The command has nothing to do until its worker has ended. */
export async function waitForWorker(tools: RunTools, root: Delegation, worker: string): Promise<void> {
  await recordEvent(tools, root, { type: "delegation-parked", data: { waitingFor: [worker] } });
}

/** A task list that cannot be written, during a person's merge for example, does not stop the work. */
async function markTaskStarted(tools: RunTools, root: Delegation, facts: WorkflowFacts): Promise<void> {
  const problem = await tryToMarkTask(tools, root.story, facts);
  if (problem !== undefined) await addNote(tools, root, problem);
}

/** Answers what went wrong. */
async function tryToMarkTask(
  { workflow }: RunTools,
  story: string,
  { command, task }: WorkflowFacts,
): Promise<string | undefined> {
  const during = statusDuring(command);
  if (during === undefined || task === null) return undefined;
  try {
    const { failures } = await (await workflow.tasks(story)).change(task, { status: during });
    return failures[0]?.message;
  } catch (error) {
    return `Task ${task} could not be marked: ${readErrorMessage(error)}`;
  }
}

async function beginRoot(tools: RunTools, root: Delegation): Promise<Delegation> {
  if (root.state !== "queued") return root;
  await tools.store.begin(root.id, root.attempt + 1, await readLease(tools, root.story));
  return (await tools.store.delegation(root.id)) ?? root;
}

interface Start {
  readonly root: Delegation;
  readonly facts: WorkflowFacts;
}

/** The agent starts from the person's present state without the task files, and from an earlier run's work. */
async function keepStart(tools: RunTools, { root, facts }: Start): Promise<Delegation> {
  if (root.tip !== null) return root;
  const { id } = root;
  const { commit: base } = await tools.workflow.snapshotWithout(id, facts.ownFiles);
  const tip = await mergeEarlierWork(tools, { root, base, facts });
  const ref = workRefName(id);
  await tools.git.moveBranch({ ref, from: await tools.git.readBranch(ref), to: tip });
  const data = { tip, base, filesChanged: [] };
  await recordEvent(tools, root, { type: "work-kept", data });
  return (await tools.store.delegation(id)) ?? root;
}

async function mergeEarlierWork(
  tools: RunTools,
  { root, base, facts }: Start & { readonly base: string },
): Promise<string> {
  const { continues, command, task } = facts;
  if (continues === null) return base;
  const { commit: left } = await findManagerHead(tools, continues);
  if (await tools.git.contains(base, left)) return base;
  if (await tools.git.contains(left, base)) return left;
  const merge = await tools.git.merge(base, left);
  if (merge.status === "conflict")
    throw workflowErrors.earlierWorkConflicts({
      worker: continues,
      files: merge.files,
      again: `ambit ${command} ${task ?? ""}`.trim(),
    });
  const message = `Continue from ${continues}\n`;
  return tools.git.commit({
    tree: merge.tree,
    parents: [base, left],
    message,
    timeSeconds: readCommitTime(root),
  });
}

async function admitWorker(tools: RunTools, manager: Delegation, facts: WorkflowFacts): Promise<Admission> {
  const { description, agent, timeoutSeconds, context, criteria } = facts;
  const request = { description, agent, timeout_seconds: timeoutSeconds, context };
  const [routed] = await routeDelegations(tools, manager, [request]);
  if (routed === undefined) throw new TypeError(`${manager.id} was not routed`);
  const { limit } = manager.money;
  const { delegationMicroUsd } = (await tools.store.story(manager.story))?.limits ?? {};
  // The command itself spends nothing, so its one worker gets the whole budget of the story.
  const budgets = [limit, delegationMicroUsd ?? null].filter((amount) => amount !== null);
  const work = routed.work === undefined ? undefined : { ...routed.work, criteria: [...criteria] };
  const [admission] = await tools.store.admit({
    parent: manager.id,
    parentAttempt: manager.attempt,
    requests: [
      {
        ...routed,
        criteria: criteria.map(({ text }) => text),
        ...(work === undefined ? {} : { work }),
        ...(limit === null ? {} : { budgetMicroUsd: Math.min(...budgets) }),
      },
    ],
  });
  if (admission === undefined) throw new TypeError(`${manager.id} was neither admitted nor refused`);
  return admission;
}
