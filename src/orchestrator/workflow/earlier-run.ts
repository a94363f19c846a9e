import type { WorkflowFacts } from "../../contract/workflow-facts.ts";
import type { Delegation } from "../../journal/store.ts";
import { readWorkflowFacts } from "../delegation/kind.ts";
import { findManagerHead } from "../delegation/manager-branch.ts";
import type { RunTools } from "../ports/run-tools.ts";
import type { CheckedWorkflow } from "./check-workflow.ts";
import { readPhases, type PhaseName } from "./plan-phases.ts";
import { findProvenPhases, listOwnWorkers } from "./proven-phases.ts";
import { listEarlierRuns, nameNextRun } from "./story-name.ts";

/** An unfinished earlier run of the same command. */
export interface EarlierRun {
  /**
   * The delegation whose work is continued: its last worker, or the run itself if that worker left nothing to continue.
   */
  readonly continues: string;
  /** That work, including what its own workers completed. */
  readonly tip: string;
  readonly outcome: string;
  readonly code: string | null;
  readonly summary: string;
  readonly facts: WorkflowFacts;
  /** The phases that it proved, also in the runs that it continued itself. */
  readonly done: readonly PhaseName[];
}

const continuable: ReadonlySet<string> = new Set(["timed_out", "partial", "cancelled", "blocked"]);

/** The name of the next run, and the earlier run that it can continue. */
export async function findEarlierRun(
  tools: RunTools,
  { command, subject, fresh }: CheckedWorkflow,
): Promise<{ readonly story: string; readonly earlier: EarlierRun | undefined }> {
  const task = subject?.task.id ?? null;
  const runs = await listEarlierRuns(tools.store, task, command);
  const story = nameNextRun(task, command, runs);
  if (fresh || task === null) return { story, earlier: undefined };
  // A run without work does not hide the work of the run before it.
  for (const run of runs.toReversed()) {
    const root = await tools.store.delegation(run);
    if (root?.outcome === "completed") break;
    const earlier = root === undefined ? undefined : await readEarlierRun(tools, root);
    if (earlier !== undefined) return { story, earlier };
  }
  return { story, earlier: undefined };
}

async function readEarlierRun(tools: RunTools, root: Delegation): Promise<EarlierRun | undefined> {
  const facts = readWorkflowFacts(root);
  const workers = await listOwnWorkers(tools, root);
  const last = workers.at(-1);
  if (facts === undefined || last === undefined) return undefined;
  const done = await findProvenPhases(tools, facts, workers);
  const hasKept = last.outcome !== null && continuable.has(last.outcome) && last.tip !== last.base;
  if (hasKept && last.tip !== null) return describeRun(tools, last, { facts, done });
  // Proven phases stay proven, whatever the worker after them left.
  const hasProven = done.length > (facts.plan?.done?.length ?? 0);
  return hasProven ? describeRun(tools, root, { facts, done }) : undefined;
}

async function describeRun(
  tools: RunTools,
  { id, outcome, code, summary }: Delegation,
  { facts, done }: Pick<EarlierRun, "facts" | "done">,
): Promise<EarlierRun> {
  const { commit: tip } = await findManagerHead(tools, id);
  return { continues: id, tip, outcome: outcome ?? "failed", code, summary, facts, done };
}

/** The phases of this plan that the earlier run left proven. Runs of earlier versions only have the plan's own markers. */
export async function readDoneBefore(
  { workflow }: RunTools,
  earlier: EarlierRun,
  path: string,
): Promise<readonly PhaseName[]> {
  const { facts, done, tip } = earlier;
  if (facts.plan?.path !== path) return [];
  if (facts.plan.done !== undefined) return done;
  const kept = await workflow.readFile(tip, path);
  return kept === undefined ? [] : readPhases(kept.toString("utf8")).filter(({ isDone }) => isDone);
}
