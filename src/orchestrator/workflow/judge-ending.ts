import type { Outcome } from "../../contract/outcome.ts";
import type { WorkflowFacts } from "../../contract/workflow-facts.ts";
import type { Delegation } from "../../journal/store.ts";
import type { PhaseName } from "./plan-phases.ts";
import { listPlannedPhases } from "./proven-phases.ts";

/** A command whose last worker has ended. */
export interface Ended {
  readonly root: Delegation;
  readonly facts: WorkflowFacts;
  /** The worker that ended last. */
  readonly worker: Delegation;
  readonly workers: readonly Delegation[];
  /** The proven phases of its plan, those of earlier runs included. */
  readonly done: readonly PhaseName[];
}

/** Decides how a command ends. It is not completed while a phase of its plan is not, whatever its workers say (R155). */
export function judgeOutcome({ root, facts, worker, done }: Ended): Outcome {
  const outcome = worker.outcome ?? "failed";
  if (outcome !== "completed" || !hasOpenPhase(facts, done)) return outcome;
  return root.cancelRequested ? "cancelled" : "partial";
}

function hasOpenPhase(facts: WorkflowFacts, done: readonly PhaseName[]): boolean {
  return listPlannedPhases(facts).length > 0 && done.length < (facts.plan?.phases ?? 0);
}

/** The first phase that is not proven, if the command was to carry it out. */
export function findOpenPhase(facts: WorkflowFacts, done: readonly PhaseName[]): PhaseName | undefined {
  return listPlannedPhases(facts)[done.length - (facts.plan?.done?.length ?? 0)];
}

export function listChangedFiles(workers: readonly Delegation[]): readonly string[] {
  return [...new Set(workers.flatMap(({ filesChanged }) => filesChanged))].toSorted();
}
