import type { WorkflowFacts } from "../../contract/workflow-facts.ts";
import type { Delegation } from "../../journal/store.ts";

/** The adapter of a manager that runs in a person's own terminal: Ambit has no process of it to drive. */
export const OUTSIDE_ADAPTER = "outside";

/** The adapter of a workflow command: the runtime leads it itself. */
export const WORKFLOW_ADAPTER = "workflow";

/** An agent that Ambit starts, a person's own agent, or the runtime itself (for a workflow command) leads it. */
export type DelegationKind = "agent" | "external-manager" | "workflow";

type KindFacts = Pick<Delegation, "parent" | "work">;

/** Only a story can be led without an agent; whatever a worker's record says, it is a process of ours. */
export function readDelegationKind({ parent, work }: KindFacts): DelegationKind {
  if (parent !== null || work === null) return "agent";
  // Journals of earlier versions store the adapter `outside` for workflow commands too, so the facts decide first.
  if (work.workflow !== undefined) return "workflow";
  return work.adapter === OUTSIDE_ADAPTER ? "external-manager" : "agent";
}

export function isExternalManager(delegation: KindFacts): boolean {
  return readDelegationKind(delegation) === "external-manager";
}

/** True for external managers and workflow commands: they have no process and no files of their own. */
export function isLedWithoutAgent(delegation: KindFacts): boolean {
  return readDelegationKind(delegation) !== "agent";
}

/** The facts of a workflow command; undefined for every other delegation. */
export function readWorkflowFacts({ parent, work }: KindFacts): WorkflowFacts | undefined {
  return parent === null ? work?.workflow : undefined;
}
