import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MAX_PHASES, type WorkflowFacts } from "../../contract/workflow-facts.ts";
import type { RunTools } from "../ports/run-tools.ts";
import type { CheckedWorkflow } from "./check-workflow.ts";
import { readDoneBefore, type EarlierRun } from "./earlier-run.ts";
import { hasPhase, readPhases } from "./plan-phases.ts";
import { findNewestPlan } from "./task-documents.ts";
import { buildPhaseCriteria } from "./workflow-criteria.ts";

interface PlanQuestion {
  readonly checked: CheckedWorkflow;
  readonly folder: string;
  readonly earlier: EarlierRun | undefined;
}

interface FoundPlan {
  readonly facts: NonNullable<WorkflowFacts["plan"]>;
  readonly warnings: readonly string[];
}

/** Finds the plan to carry out or revise, its phases that are done, and those that follow. */
export async function findPlan(
  tools: RunTools,
  { checked, folder, earlier }: PlanQuestion,
): Promise<FoundPlan | undefined> {
  const { command, subject } = checked;
  const { projectRoot } = tools.workflow;
  if (command !== "implement" && command !== "revise") return undefined;
  const path = findNewestPlan(projectRoot, folder);
  if (path === undefined) return undefined;
  const phases = readPhases(readPlan(projectRoot, path));
  const before = earlier === undefined ? [] : await readDoneBefore(tools, earlier, path);
  const open = phases.filter((phase) => !phase.isDone && !hasPhase(before, phase));
  const done = phases
    .filter((phase) => !open.includes(phase))
    .map(({ number, title }) => ({ number, title }));
  const facts = { path, phases: phases.length, next: open[0]?.number ?? null };
  if (command === "revise" || open.length === 0) return { facts: { ...facts, done }, warnings: [] };
  const { todo, warnings } = await buildPhaseCriteria(tools, { subject, phases: open });
  return { facts: { ...facts, done, todo: todo.slice(0, MAX_PHASES) }, warnings };
}

const MAX_PLAN_LENGTH = 1024 * 1024;

function readPlan(projectRoot: string, path: string): string {
  try {
    return readFileSync(join(projectRoot, path), "utf8").slice(0, MAX_PLAN_LENGTH);
  } catch {
    // The plan was removed since it was listed: it is treated as a plan without phases.
    return "";
  }
}
