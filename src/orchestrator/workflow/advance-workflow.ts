import type { WorkflowFacts } from "../../contract/workflow-facts.ts";
import type { Delegation } from "../../journal/store.ts";
import { readWorkflowFacts } from "../delegation/kind.ts";
import { recordEvent } from "../delegation/record.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { closeWith, moved, waiting, type Step } from "../ports/step.ts";
import { describeWorkflow } from "./describe-ending.ts";
import { listChangedFiles, type Ended } from "./judge-ending.ts";
import { exportRecords } from "./export-records.ts";
import { handOutWork, waitForWorker } from "./hand-out.ts";
import { findProvenPhases, listOwnWorkers, listPlannedPhases, markProvenPhases } from "./proven-phases.ts";
import { settleWorkflow } from "./settle-workflow.ts";

/** Moves a workflow command on by its journal: delegate, wait, settle, close. Every step can be repeated after a crash. */
export async function advanceWorkflow(
  tools: RunTools,
  root: Delegation,
  consider: (id: string) => void,
): Promise<Step> {
  const facts = readWorkflowFacts(root);
  if (facts === undefined) throw new TypeError(`${root.id} is not a workflow command`);
  switch (root.state) {
    case "closed":
      return moved;
    case "returned":
      return verifyReturned(tools, root);
    case "verified":
    case "merged":
      return closeWith({ outcome: "completed", summary: root.summary, filesChanged: root.filesChanged });
    case "queued":
    case "running":
    case "parked":
      return leadWorker(tools, { root, facts }, consider);
  }
}

interface Led {
  readonly root: Delegation;
  readonly facts: WorkflowFacts;
}

async function leadWorker(tools: RunTools, led: Led, consider: (id: string) => void): Promise<Step> {
  const { root, facts } = led;
  const workers = await listOwnWorkers(tools, root);
  const worker = workers.at(-1);
  if (worker === undefined && root.cancelRequested)
    return closeWith({ outcome: "cancelled", summary: "Stopped before anything was delegated." });
  if (worker === undefined) return delegateToAgent(tools, led, { place: 0, consider });
  if (worker.state !== "closed") {
    if (root.state === "running") await waitForWorker(tools, root, worker.id);
    return waiting;
  }
  const done = await findProvenPhases(tools, facts, workers);
  const place = done.length - (facts.plan?.done?.length ?? 0);
  const isNext = place === workers.length && place < listPlannedPhases(facts).length;
  const ended = { root, facts, worker, workers, done };
  if (!isNext || root.cancelRequested) return settleEnded(tools, ended);
  await markProvenPhases(tools, ended);
  return delegateToAgent(tools, led, { place, consider });
}

interface HandingOut {
  /** The position of the phase in the list of those to be done. */
  readonly place: number;
  readonly consider: (id: string) => void;
}

async function delegateToAgent(tools: RunTools, led: Led, { place, consider }: HandingOut): Promise<Step> {
  const admission = await handOutWork(tools, led, place);
  if (admission.admitted) {
    consider(admission.delegation.id);
    return waiting;
  }
  const [first] = admission.failures;
  const summary = admission.failures.map(({ message }) => message).join("\n");
  return closeWith({ outcome: "failed", summary, ...(first === undefined ? {} : { code: first.code }) });
}

/** The journal has the evidence before the story ends, so that everything is done when the end is seen. */
async function settleEnded(tools: RunTools, ended: Ended): Promise<Step> {
  const { root, worker, facts } = ended;
  const settled = await settleWorkflow(tools, ended);
  const { postflight, status, artifacts, commit, taskCommit } = settled;
  await recordEvent(tools, root, {
    type: "workflow-settled",
    data: {
      command: facts.command,
      task: facts.task,
      worker: worker.id,
      status,
      artifacts: [...artifacts],
      commit,
      taskCommit,
      postflight,
    },
  });
  const settlement = describeWorkflow({ ...ended, settled });
  await exportRecords(tools, root.story);
  if (settlement.outcome !== "completed") return closeWith(settlement);
  const paths = artifacts.map(({ path }) => path);
  const data = { status: "completed", summary: settlement.summary, artifacts: paths };
  await recordEvent(tools, root, { type: "delegation-returned", data });
  return moved;
}

/** Its workers were proven and merged; the command itself has nothing left to prove. */
async function verifyReturned(tools: RunTools, root: Delegation): Promise<Step> {
  const filesChanged = [...listChangedFiles(await listOwnWorkers(tools, root))];
  const data = { passed: 0, failed: 0, unverified: 0, candidate: null, filesChanged };
  await recordEvent(tools, root, { type: "delegation-verified", data });
  return moved;
}
