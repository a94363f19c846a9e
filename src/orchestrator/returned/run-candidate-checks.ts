import { join } from "node:path";
import type { Criterion } from "../../contract/task.ts";
import type { Delegation } from "../../journal/store.ts";
import type { ComparedResult } from "../../verification/compare-base.ts";
import type { Ratchet } from "../../verification/ratchet.ts";
import { readCheckTrust } from "../checks/check-trust.ts";
import { pickCheckTools, runChecksOnCommit } from "../checks/run-on-commit.ts";
import { tellCheck } from "../checks/tell-check.ts";
import { noteCheckRun } from "../delegation/attempt-files.ts";
import { recordEvent } from "../delegation/record.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { compareResults } from "./compare-results.ts";

export interface CandidateChecks {
  readonly delegation: Delegation;
  readonly commit: string;
  readonly criteria: readonly Criterion[];
  /** The files that merging it would change. */
  readonly changedFiles: readonly string[];
  /** The checks for which work on the same branch was accepted before. */
  readonly accepted: Ratchet;
  /** Ends the checks early; then no result counts or is recorded. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs every check in a fresh checkout of the merged tree. It uses a sandbox if a sandboxed worker's work or a worker's
 * own command is checked. Each result is in the journal before it counts.
 */
export async function runCandidateChecks(
  tools: RunTools,
  { delegation, commit, criteria, changedFiles, accepted, signal }: CandidateChecks,
): Promise<readonly ComparedResult[] | "stopped"> {
  if (!criteria.some(({ check }) => check !== undefined && !("manual" in check))) return [];
  const trust = await readCheckTrust(tools, delegation);
  const { checks } = await tools.settings();
  const { id, attempt, timeoutSeconds } = delegation;
  const logDirectory = join(tools.stateDirectory, "logs", id, `attempt-${attempt}`, "checks");
  const running = runChecksOnCommit(await pickCheckTools(tools, delegation.story), {
    id,
    commit,
    criteria,
    trust,
    changedFiles,
    ...(signal === undefined ? {} : { signal }),
    logDirectory,
    runId: `${delegation.executionId}-check`,
    checks,
    timeoutMs: timeoutSeconds * 1000,
    onCheck: (notice) => tellCheck(tools, { delegation, on: "work" }, notice),
    onRun: (run) => noteCheckRun(tools.stateDirectory, delegation, run),
  });
  const results = await running.catch((error: unknown) => {
    // A stop also ends the git command that makes the checkout.
    if (signal?.aborted === true) return [];
    throw error;
  });
  if (signal?.aborted === true) return "stopped";
  const compared = await compareResults(tools, { delegation, commit, results, changedFiles, accepted });
  await recordResults(tools, delegation, compared);
  return compared;
}

/** Writes each result into the journal, before it counts. */
export async function recordResults(
  tools: RunTools,
  delegation: Delegation,
  results: readonly ComparedResult[],
): Promise<void> {
  for (const { criterion, verdict, evidence, isFlaky, meaning, newlyFailing = [] } of results) {
    const facts = {
      ...(isFlaky === true ? { flaky: true } : {}),
      ...(meaning === undefined ? {} : { meaning }),
      ...(newlyFailing.length === 0 ? {} : { newlyFailing: [...newlyFailing] }),
    };
    const data = {
      criterionId: criterion.id,
      text: criterion.text,
      verdict,
      evidence,
      by: "ambit",
      ...facts,
    };
    await recordEvent(tools, delegation, { type: "criterion-checked", data });
  }
}
