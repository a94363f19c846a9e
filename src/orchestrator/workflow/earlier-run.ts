import type { Delegation } from "../../journal/store.ts";
import { findManagerHead } from "../delegation/manager-branch.ts";
import type { RunTools } from "../ports/run-tools.ts";
import type { CheckedWorkflow } from "./check-workflow.ts";
import { listEarlierRuns, nameNextRun } from "./story-name.ts";

/** An unfinished earlier run of the same command. */
export interface EarlierRun {
  /** Its worker. */
  readonly worker: string;
  /** Its newest work, including what its own workers completed. */
  readonly tip: string;
  readonly outcome: string;
  readonly code: string | null;
  readonly summary: string;
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
    const worker = (await tools.store.storyTree(run)).find(({ parent }) => parent === run);
    if (worker?.outcome === "completed") break;
    const earlier = worker === undefined ? undefined : await readEarlierRun(tools, worker);
    if (earlier !== undefined) return { story, earlier };
  }
  return { story, earlier: undefined };
}

async function readEarlierRun(tools: RunTools, worker: Delegation): Promise<EarlierRun | undefined> {
  const { id, outcome, code, summary, tip, base } = worker;
  if (outcome === null || !continuable.has(outcome) || tip === null || tip === base) return undefined;
  const head = await findManagerHead(tools, id);
  return { worker: id, tip: head.commit, outcome, code, summary };
}
