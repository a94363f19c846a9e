import * as z from "zod";
import { DelegationError } from "../../base/delegation-error.ts";
import { workflowRequestSchema, type WorkflowRequest } from "../../contract/workflow-request.ts";

/** Stage 1: name, task, flags and words through one schema (R146). Whether the number is one is for preflight to say. */
export function parseWorkflow(input: unknown): WorkflowRequest {
  const parsed = workflowRequestSchema.safeParse(input);
  if (!parsed.success) throw unusable(z.prettifyError(parsed.error));
  const { command, task } = parsed.data;
  if (task === undefined && !takesWordsAlone.has(command))
    throw unusable(`${command} is about a task: give its number`);
  return parsed.data;
}

/** The direct commands; all others are about a task (R51). */
const takesWordsAlone: ReadonlySet<string> = new Set(["review", "meta"]);

function unusable(why: string): DelegationError {
  return new DelegationError({
    code: "USAGE",
    message: `The command is not usable: ${why}.`,
    recommendation: "Correct it and ask again, for example ambit research 197; nothing was started.",
  });
}
