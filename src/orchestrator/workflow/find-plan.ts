import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { WorkflowFacts } from "../../contract/workflow-facts.ts";
import type { WorkflowTools } from "../ports/workflow-tools.ts";
import type { EarlierRun } from "./earlier-run.ts";
import { findNextPhase, readPhases } from "./plan-phases.ts";
import { findNewestPlan } from "./task-documents.ts";

export interface PlanQuestion {
  readonly command: string;
  readonly folder: string;
  readonly earlier: EarlierRun | undefined;
}

/** The plan to carry out or revise, and the phase to begin with. */
export async function findPlan(
  workflow: WorkflowTools,
  { command, folder, earlier }: PlanQuestion,
): Promise<WorkflowFacts["plan"]> {
  if (command !== "implement" && command !== "revise") return null;
  const path = findNewestPlan(workflow.projectRoot, folder);
  if (path === undefined) return null;
  // The kept work marks finished phases; the person's own copy does not.
  const kept = earlier === undefined ? undefined : await workflow.readFile(earlier.tip, path);
  const phases = readPhases(kept?.toString("utf8") ?? readPlan(workflow.projectRoot, path));
  return { path, phases: phases.length, next: findNextPhase(phases) };
}

const MAX_PLAN_LENGTH = 1024 * 1024;

function readPlan(projectRoot: string, path: string): string {
  try {
    return readFileSync(join(projectRoot, path), "utf8").slice(0, MAX_PLAN_LENGTH);
  } catch {
    // Removed since it was listed: treated as a plan without phases.
    return "";
  }
}
