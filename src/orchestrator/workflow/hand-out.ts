import { readErrorMessage } from "../../base/delegation-error.ts";
import type { WorkflowFacts } from "../../contract/workflow-facts.ts";
import { workflowErrors } from "../../errors/workflow.ts";
import type { Admission, Delegation } from "../../journal/store.ts";
import { readCommitTime, findManagerHead } from "../delegation/manager-branch.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { readLease } from "../delegation/lease.ts";
import { addNote, recordEvent } from "../delegation/record.ts";
import { routeDelegations } from "../opening/route.ts";
import { readWorkflowFacts } from "../delegation/kind.ts";
import { computeAvailable } from "../../ledger/budget-tree.ts";
import { statusDuring } from "./markers.ts";
import { keepTip, listPlannedPhases, markPlan } from "./proven-phases.ts";
import { describePhase } from "./workflow-prompt.ts";

/**
 * Delegates the command's work to the agent it was routed to: all of it, or the phase at this position in the list of
 * those that the plan still has.
 */
export async function handOutWork(
  tools: RunTools,
  { root, facts }: Start,
  place: number,
): Promise<Admission> {
  const begun = await beginRoot(tools, root);
  const manager = await keepStart(tools, { root: begun, facts });
  // This comes before delegating: after a crash the next look marks it again, and the end finds it marked.
  await markTaskStarted(tools, manager, facts);
  const admission = await admitWorker(tools, { root: manager, facts }, place);
  if (admission.admitted) await waitForWorker(tools, manager, admission.delegation.id);
  return admission;
}

/** The command has nothing to do until its worker has ended. */
export async function waitForWorker(tools: RunTools, root: Delegation, worker: string): Promise<void> {
  await recordEvent(tools, root, { type: "delegation-parked", data: { waitingFor: [worker] } });
}

/** A task list that cannot be written, for example during a person's merge, does not stop the work. */
async function markTaskStarted(tools: RunTools, root: Delegation, facts: WorkflowFacts): Promise<void> {
  const problem = await tryToMarkTask(tools, root.story, facts);
  if (problem !== undefined) await addNote(tools, root, problem);
}

/** Returns the reason if it failed. */
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
  await keepTip(tools, { ...root, base }, tip);
  return (await tools.store.delegation(id)) ?? root;
}

async function mergeEarlierWork(
  tools: RunTools,
  { root, base, facts }: Start & { readonly base: string },
): Promise<string> {
  const { continues, plan } = facts;
  if (continues === null) return base;
  const { commit: left } = await findManagerHead(tools, continues);
  if (await tools.git.contains(base, left)) return base;
  const before = await findEarlierBase(tools, continues);
  const path = plan?.path;
  // The plan is Ambit's own: the person's version counts, and code sets its markers.
  const own = path === undefined ? undefined : await tools.workflow.readFile(base, path);
  const theirs =
    path === undefined ? left : await replaceInCommit(tools, { commit: left, path, content: own });
  const merge = await tools.git.merge(base, theirs, before);
  if (merge.status === "conflict") throw refuseConflict(facts, continues, merge.files);
  const { tree } = merge;
  const done = plan?.done ?? [];
  const marked = path === undefined ? undefined : await markPlan(tools, { commit: base, tree, path, done });
  return tools.git.commit({
    tree: marked ?? tree,
    parents: [base, left],
    message: `Continue from ${continues}\n`,
    timeSeconds: readCommitTime(root),
  });
}

/**
 * Both runs started from a snapshot of the person's files, and neither has the other's snapshot in its history. Without
 * the first snapshot as their common ancestor, every uncommitted file would count as added twice.
 */
async function findEarlierBase(tools: RunTools, continues: string): Promise<string | undefined> {
  const earlier = await tools.store.delegation(continues);
  const root = earlier === undefined ? undefined : await tools.store.delegation(earlier.story);
  return root === undefined || readWorkflowFacts(root) === undefined ? undefined : (root.base ?? undefined);
}

interface Replacement {
  readonly commit: string;
  readonly path: string;
  readonly content: Buffer | undefined;
}

async function replaceInCommit(tools: RunTools, replacement: Replacement): Promise<string> {
  const tree = await tools.workflow.replaceFile(replacement);
  return tools.git.commit({ tree, parents: [replacement.commit], message: "", timeSeconds: 0 });
}

function refuseConflict({ command, task }: WorkflowFacts, worker: string, files: readonly string[]): Error {
  const again = `ambit ${command} ${task ?? ""}`.trim();
  return workflowErrors.earlierWorkConflicts({ worker, files, again });
}

async function admitWorker(
  tools: RunTools,
  { root: manager, facts }: Start,
  place: number,
): Promise<Admission> {
  const { criteria, ...request } = describeRequest(facts, place);
  const [routed] = await routeDelegations(tools, manager, [request]);
  if (routed === undefined) throw new TypeError(`${manager.id} was not routed`);
  const available = computeAvailable(manager.money);
  const { delegationMicroUsd } = (await tools.store.story(manager.story))?.limits ?? {};
  // The command itself spends nothing, so its worker gets everything that is left of the story's budget.
  const budgets = [available, delegationMicroUsd ?? null].filter((amount) => amount !== null);
  const work = routed.work === undefined ? undefined : { ...routed.work, criteria: [...criteria] };
  const [admission] = await tools.store.admit({
    parent: manager.id,
    parentAttempt: manager.attempt,
    requests: [
      {
        ...routed,
        criteria: criteria.map(({ text }) => text),
        ...(work === undefined ? {} : { work }),
        ...(available === null ? {} : { budgetMicroUsd: Math.max(0, Math.min(...budgets)) }),
      },
    ],
  });
  if (admission === undefined) throw new TypeError(`${manager.id} was neither admitted nor refused`);
  return admission;
}

function describeRequest(facts: WorkflowFacts, place: number) {
  const { agent, timeoutSeconds, plan } = facts;
  const phase = listPlannedPhases(facts)[place];
  const told = [
    facts.context,
    ...(plan === null || phase === undefined ? [] : [describePhase(phase, plan)]),
    ...(place === 0 && facts.handover !== undefined ? [facts.handover] : []),
  ];
  const which = plan === null || phase === undefined ? "" : `, phase ${phase.number} of ${plan.phases}`;
  return {
    agent,
    description: `${facts.description}${which}`,
    timeout_seconds: timeoutSeconds,
    context: told.join("\n\n").slice(0, MAX_CONTEXT_LENGTH),
    criteria: phase?.criteria ?? facts.criteria,
  };
}

const MAX_CONTEXT_LENGTH = 20_000;
