import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { WorkflowFacts } from "../../contract/workflow-facts.ts";
import type { WorkflowTools } from "../project/create-workflow-tools.ts";
import type { EarlierRun } from "./earlier-run.ts";
import { nextPhase, readPhases } from "./plan-phases.ts";
import { newestPlan } from "./task-documents.ts";

export interface PlanQuestion {
  readonly command: string;
  readonly folder: string;
  readonly earlier: EarlierRun | undefined;
}

/** The plan that is to be carried out or revised, and the phase to begin with. */
export async function planOf(
  workflow: WorkflowTools,
  { command, folder, earlier }: PlanQuestion,
): Promise<WorkflowFacts["plan"]> {
  if (command !== "implement" && command !== "revise") return null;
  const path = newestPlan(workflow.projectRoot, folder);
  if (path === undefined) return null;
  // What was done is marked in the work that was kept, not in the person's own copy.
  const kept = earlier === undefined ? undefined : await workflow.readFile(earlier.tip, path);
  const phases = readPhases(kept?.toString("utf8") ?? readPlan(workflow.projectRoot, path));
  return { path, phases: phases.length, next: nextPhase(phases) };
}

const LONGEST_PLAN = 1024 * 1024;

function readPlan(projectRoot: string, path: string): string {
  try {
    return readFileSync(join(projectRoot, path), "utf8").slice(0, LONGEST_PLAN);
  } catch {
    // Removed since it was listed: a plan without phases.
    return "";
  }
}
