import * as z from "zod";
import { workflowRequestSchema, type WorkflowRequest } from "../../contract/workflow-request.ts";
import { workflowErrors } from "../../errors/workflow.ts";

/** Stage 1: name, task, flags and words pass one schema (R146). Preflight decides whether the task exists. */
export function parseWorkflow(input: unknown): WorkflowRequest {
  const parsed = workflowRequestSchema.safeParse(input);
  if (!parsed.success) throw workflowErrors.unusableCommand(z.prettifyError(parsed.error));
  const { command, task } = parsed.data;
  if (task === undefined && !takesWordsAlone.has(command))
    throw workflowErrors.unusableCommand(`${command} is about a task: give its number`);
  return parsed.data;
}

/** The direct commands; all others need a task (R51). */
const takesWordsAlone: ReadonlySet<string> = new Set(["review", "meta"]);
