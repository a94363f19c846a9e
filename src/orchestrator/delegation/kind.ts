import type { WorkflowFacts } from "../../contract/workflow-facts.ts";
import type { Delegation } from "../../journal/store.ts";

/** What a story is the root of, where it is a workflow command: no process leads it, the runtime does. */
export function workflowOf({ parent, work }: Pick<Delegation, "parent" | "work">): WorkflowFacts | undefined {
  return parent === null ? work?.workflow : undefined;
}
