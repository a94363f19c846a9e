import type { Delegation } from "../../journal/store.ts";
import { managerHead } from "../delegation/manager-branch.ts";
import type { RunTools } from "../ports/run-tools.ts";
import type { CheckedWorkflow } from "./check-workflow.ts";
import { earlierRuns, nextRun } from "./story-name.ts";

/** What an earlier run of the same command left unfinished. */
export interface EarlierRun {
  /** The delegation that did it. */
  readonly worker: string;
  /** Its newest work, with what its own workers completed. */
  readonly tip: string;
  readonly outcome: string;
  readonly code: string | null;
  readonly summary: string;
}

const goesOn: ReadonlySet<string> = new Set(["timed_out", "partial", "cancelled", "blocked"]);

/** The name of the next run, and the run before it where there is something to go on from. */
export async function findEarlier(
  tools: RunTools,
  { command, subject, fresh }: CheckedWorkflow,
): Promise<{ readonly story: string; readonly earlier: EarlierRun | undefined }> {
  const task = subject?.task.id ?? null;
  const runs = await earlierRuns(tools.store, task, command);
  const story = nextRun(task, command, runs);
  if (fresh || task === null) return { story, earlier: undefined };
  // A run that left nothing does not hide what the one before it left.
  for (const run of runs.toReversed()) {
    const worker = (await tools.store.storyTree(run)).find(({ parent }) => parent === run);
    if (worker?.outcome === "completed") break;
    const earlier = worker === undefined ? undefined : await readRun(tools, worker);
    if (earlier !== undefined) return { story, earlier };
  }
  return { story, earlier: undefined };
}

async function readRun(tools: RunTools, worker: Delegation): Promise<EarlierRun | undefined> {
  const { id, outcome, code, summary, tip, base } = worker;
  if (outcome === null || !goesOn.has(outcome) || tip === null || tip === base) return undefined;
  const head = await managerHead(tools, id);
  return { worker: id, tip: head.commit, outcome, code, summary };
}
