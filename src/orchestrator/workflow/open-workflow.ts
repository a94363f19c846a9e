import type { RunTools } from "../ports/run-tools.ts";
import { admitWorkflow, type OpenedWorkflow } from "./admit-workflow.ts";
import { checkWorkflow } from "./check-workflow.ts";
import { parseWorkflow } from "./parse-workflow.ts";
import { routeWorkflow } from "./route-workflow.ts";

/** Takes a workflow command through the first four stages. Its one worker then runs like any other delegation. */
export async function openWorkflow(tools: RunTools, input: unknown): Promise<OpenedWorkflow> {
  const request = parseWorkflow(input);
  const checked = await checkWorkflow(tools, request);
  const routed = await routeWorkflow(tools, checked);
  return admitWorkflow(tools, routed);
}
