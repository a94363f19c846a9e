import { join } from "node:path";
import { buildEnvironment } from "../../containment/build-environment.ts";
import type { Criterion } from "../../contract/task.ts";
import type { Delegation } from "../../journal/store.ts";
import type { CheckResult } from "../../verification/run-checks.ts";
import { useCandidate } from "../../workspace/use-candidate.ts";
import { noteCheckRun } from "../delegation/attempt-files.ts";
import type { RunTools } from "../ports/run-tools.ts";

export interface CandidateChecks {
  readonly delegation: Delegation;
  readonly commit: string;
  readonly criteria: readonly Criterion[];
  /** What merging it would change. */
  readonly changedFiles: readonly string[];
  /** Ends the checks before their time; then nothing is found and nothing written down. */
  readonly signal?: AbortSignal | undefined;
}

/** Runs every check in a fresh checkout of the merged tree; each result is in the journal before it counts. */
export async function runCandidateChecks(
  tools: RunTools,
  { delegation, commit, criteria, changedFiles, signal }: CandidateChecks,
): Promise<readonly CheckResult[] | "stopped"> {
  if (!criteria.some(({ check }) => check !== undefined && !("manual" in check))) return [];
  const { id, story, attempt, timeoutSeconds } = delegation;
  const logDirectory = join(tools.stateDirectory, "logs", id, `attempt-${attempt}`, "checks");
  const results = await useCandidate(
    () => tools.git.checkOut({ id, commit }),
    ({ path, environment }) =>
      tools.processes.runChecks({
        criteria,
        folder: path,
        environment: buildEnvironment({ base: tools.environment, set: { ...environment, CI: "1" } }),
        changedFiles,
        ...(signal === undefined ? {} : { signal }),
        logDirectory,
        runId: `${delegation.executionId}-check`,
        timeoutMs: timeoutSeconds * 1000,
        onRun: (run) => noteCheckRun(tools.stateDirectory, delegation, run),
      }),
  );
  if (signal?.aborted === true) return "stopped";
  for (const { criterion, verdict, evidence } of results)
    await tools.store.record({
      type: "criterion-checked",
      story,
      delegation: id,
      attempt,
      data: { criterionId: criterion.id, text: criterion.text, verdict, evidence, by: "ambit" },
    });
  return results;
}
