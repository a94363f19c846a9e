import { describeSchemaIssues } from "../base/schema-issues.ts";
import { workflowRequestSchema, type WorkflowRequest } from "../contract/workflow-request.ts";
import { workflowErrors } from "../errors/workflow.ts";
import { pickCallerTools } from "./delegation/story-tools.ts";
import type { StoryCaller } from "./ports/story-origins.ts";
import type { RunTools } from "./ports/run-tools.ts";
import { admitWorkflow } from "./workflow/admit-workflow.ts";
import { checkWorkflow } from "./workflow/check-workflow.ts";
import { routeWorkflow } from "./workflow/route-workflow.ts";

/** Takes a workflow command through the first four stages. Its one worker then runs like any other delegation. */
export async function openWorkflow(shared: RunTools, input: unknown, caller: StoryCaller = {}) {
  const request = parseWorkflow(input);
  const tools = await pickCallerTools(shared, caller);
  const checked = await checkWorkflow(tools, request);
  const routed = await routeWorkflow(tools, checked);
  return admitWorkflow(tools, routed);
}

/** Stage 1: name, task, flags and words pass one schema (R146). Preflight decides whether the task exists. */
function parseWorkflow(input: unknown): WorkflowRequest {
  const parsed = workflowRequestSchema.safeParse(input);
  if (!parsed.success) throw workflowErrors.unusableCommand(describeSchemaIssues(parsed.error));
  const { command, task } = parsed.data;
  if (task === undefined && !takesWordsAlone.has(command))
    throw workflowErrors.unusableCommand(`${command} is about a task: give its number`);
  return parsed.data;
}

/** The direct commands; all others need a task (R51). */
const takesWordsAlone: ReadonlySet<string> = new Set(["review", "meta"]);
