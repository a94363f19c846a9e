import type { WorkflowFacts } from "../../contract/workflow-facts.ts";
import type { Delegation, Settlement } from "../../journal/store.ts";
import type { RunTools } from "../ports/run-tools.ts";
import type { Step } from "../ports/step.ts";
import { describeWorkflow } from "./describe-ending.ts";
import { exportRecords } from "./export-records.ts";
import { handOutWork, waitForWorker } from "./hand-out.ts";
import { readPhases, type PlanPhase } from "./plan-phases.ts";
import { noWorkflows } from "./refusals.ts";
import { settleWorkflow, type Ended } from "./settle-workflow.ts";

const moved: Step = { kind: "moved" };
const waiting: Step = { kind: "waiting" };

/**
 * Moves a workflow command on from what its journal says: hand out, wait, settle, close. Every step may be killed and
 * done again.
 */
export async function advanceWorkflow(
  tools: RunTools,
  { root, facts }: { readonly root: Delegation; readonly facts: WorkflowFacts },
  consider: (id: string) => void,
): Promise<Step> {
  switch (root.state) {
    case "closed":
      return moved;
    case "returned":
      return verify(tools, root);
    case "verified":
    case "merged":
      return close({ outcome: "completed", summary: root.summary, filesChanged: root.filesChanged });
    case "queued":
    case "running":
    case "parked":
      return lead(tools, { root, facts }, consider);
  }
}

interface Led {
  readonly root: Delegation;
  readonly facts: WorkflowFacts;
}

async function lead(tools: RunTools, led: Led, consider: (id: string) => void): Promise<Step> {
  const { root, facts } = led;
  const worker = (await tools.store.storyTree(root.story)).findLast(({ parent }) => parent === root.id);
  if (worker === undefined && root.cancelRequested)
    return close({ outcome: "cancelled", summary: "Stopped before anything was handed out." });
  if (worker === undefined) return begin(tools, led, consider);
  if (worker.state === "closed") return settle(tools, { root, facts, worker });
  if (root.state === "running") await waitForWorker(tools, root, worker.id);
  return waiting;
}

async function begin(tools: RunTools, { root, facts }: Led, consider: (id: string) => void): Promise<Step> {
  const admission = await handOutWork(tools, root, facts);
  if (admission === undefined) throw noWorkflows();
  if (admission.admitted) {
    consider(admission.delegation.id);
    return waiting;
  }
  const [first] = admission.failures;
  const summary = admission.failures.map(({ message }) => message).join("\n");
  return close({ outcome: "failed", summary, ...(first === undefined ? {} : { code: first.code }) });
}

/** The journal has the evidence before the story ends, so that whoever sees the end finds everything done. */
async function settle(tools: RunTools, ended: Ended): Promise<Step> {
  const { root, worker, facts } = ended;
  const { workflow } = tools;
  if (workflow === undefined) throw noWorkflows();
  const settled = await settleWorkflow(tools, workflow, ended);
  const { id, story, attempt } = root;
  const about = { story, delegation: id, attempt };
  const { postflight, status, artifacts, commit, taskCommit } = settled;
  const ran = { workflow: facts.command, worker: worker.id, status, artifacts };
  const fields = { ...ran, commit, task_commit: taskCommit, postflight };
  await tools.store.record({
    ...about,
    type: "task-changed",
    data: { taskId: facts.task ?? facts.command, fields },
  });
  const settlement = describeWorkflow({ facts, worker, settled, phases: await phasesOf(tools, ended) });
  await exportRecords(tools, story);
  if (settlement.outcome !== "completed") return close(settlement);
  const data = {
    status: "completed",
    summary: settlement.summary,
    artifacts: artifacts.map(({ path }) => path),
  };
  await tools.store.record({ ...about, type: "delegation-returned", data });
  return moved;
}

async function phasesOf(tools: RunTools, { facts, worker }: Ended): Promise<readonly PlanPhase[]> {
  if (facts.plan === null || facts.command !== "implement" || worker.tip === null) return [];
  const text = await tools.workflow?.readFile(worker.tip, facts.plan.path);
  return text === undefined ? [] : readPhases(text.toString("utf8"));
}

/** Its worker was proven and merged; there is nothing left to be proven about the command itself. */
async function verify(tools: RunTools, root: Delegation): Promise<Step> {
  const { id, story, attempt } = root;
  const worker = (await tools.store.storyTree(story)).findLast(({ parent }) => parent === id);
  const filesChanged = [...(worker?.filesChanged ?? [])];
  const data = { passed: 0, failed: 0, unverified: 0, candidate: null, filesChanged };
  await tools.store.record({ type: "delegation-verified", story, delegation: id, attempt, data });
  return moved;
}

function close(settlement: Settlement): Step {
  return { kind: "close", settlement };
}
