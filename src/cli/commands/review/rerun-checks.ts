import { rmSync } from "node:fs";
import { join } from "node:path";
import { DelegationError } from "../../../base/delegation-error.ts";
import { randomBase36 } from "../../../base/ids.ts";
import { buildEnvironment } from "../../../containment/build-environment.ts";
import { exitCode, type ExitCode } from "../../../contract/exit-code.ts";
import type { Criterion } from "../../../contract/task.ts";
import type { Delegation } from "../../../journal/store.ts";
import { describeCheck } from "../../../verification/read-criteria.ts";
import { checksToKeepGreen } from "../../../verification/ratchet.ts";
import { runChecks, type CheckResult } from "../../../verification/run-checks.ts";
import { storyRefOf } from "../../../workspace/branch-names.ts";
import { checkOutCandidate } from "../../../workspace/candidate.ts";
import { useCandidate } from "../../../workspace/use-candidate.ts";
import { readBranch } from "../../../workspace/look-up.ts";
import type { WorkspaceSettings } from "../../../workspace/worktree.ts";
import type { CommandContext } from "../../command-module.ts";
import { openWorkspaces } from "../../../app/open-project.ts";
import { acceptedIn, type CriterionRow } from "../../../orchestrator/criteria-rows.ts";
import type { Verification, VerifiedWork } from "./verified-work.ts";

/**
 * Runs the checks again on what there is now: a story's branch, or a delegation's kept work, in a fresh checkout that
 * is thrown away. What people decided stays decided. Nothing is written into the journal.
 */
export async function rerunChecks(context: CommandContext, work: VerifiedWork): Promise<Verification> {
  const { delegation } = work;
  const workspaces = await openWorkspaces(context);
  const commit = await findCommit(workspaces, delegation);
  const criteria = criteriaOf(work);
  context.progress(`Checking ${commit.slice(0, 12)} in a fresh checkout…`);
  const signals = watchSignals();
  try {
    const results = await checkCommit(context, workspaces, {
      delegation,
      commit,
      criteria,
      abort: signals.abort,
    });
    const rows = criteria.map((criterion) => rowOf(criterion, work.rows, results));
    const interrupted = signals.owed();
    return { rows, commit, ...(interrupted === undefined ? {} : { interrupted }) };
  } finally {
    signals.release();
  }
}

async function findCommit(workspaces: WorkspaceSettings, delegation: Delegation): Promise<string> {
  const { id, story, tip } = delegation;
  const branch = id === story ? await readBranch(workspaces.repository, storyRefOf(story)) : null;
  const commit = branch ?? tip;
  if (commit !== null) return commit;
  throw new DelegationError({
    code: "WORKSPACE_NOT_FOUND",
    message: `${id} has no work yet that could be checked.`,
    recommendation: `See how far it is with ambit status ${story}.`,
  });
}

/** Its own, and for a story what every part that was accepted has to keep green. */
function criteriaOf({ delegation, tree }: VerifiedWork): readonly Criterion[] {
  const own = delegation.work?.criteria ?? [];
  if (delegation.parent !== null) return own;
  const kept = checksToKeepGreen(acceptedIn(tree, delegation), own);
  return [...own, ...kept.map(({ criterion }) => criterion)];
}

interface CheckedCommit {
  readonly delegation: Delegation;
  readonly commit: string;
  readonly criteria: readonly Criterion[];
  readonly abort: AbortSignal;
}

async function checkCommit(
  context: CommandContext,
  workspaces: WorkspaceSettings,
  { delegation, commit, criteria, abort }: CheckedCommit,
): Promise<readonly CheckResult[]> {
  const { id, base, timeoutSeconds } = delegation;
  const name = `rerun-${randomBase36(8)}`;
  const logDirectory = join(workspaces.stateDirectory, "logs", id, name);
  const results = await useCandidate(
    () => checkOutCandidate(workspaces, { id, commit }),
    async ({ path, environment, changedFiles }) => {
      const changed = base === null ? [] : await changedFiles(base);
      return runChecks({
        criteria,
        folder: path,
        environment: buildEnvironment({ base: context.environment, set: { ...environment, CI: "1" } }),
        changedFiles: changed.map((file) => file.path),
        logDirectory,
        runId: `${delegation.executionId}-${name}`,
        timeoutMs: timeoutSeconds * 1000,
        signal: abort,
      });
    },
  );
  // What failed names its log; of what passed nobody needs one.
  if (results.every(({ verdict }) => verdict === "passed"))
    rmSync(logDirectory, { recursive: true, force: true });
  return results;
}

function rowOf(
  criterion: Criterion,
  recorded: readonly CriterionRow[],
  results: readonly CheckResult[],
): CriterionRow {
  const { id, text, required, check } = criterion;
  const result = results.find((one) => one.criterion.id === id);
  const row = { id, text, required, check: describeCheck(check ?? { manual: true }) };
  if (result !== undefined && (check === undefined || !("manual" in check)))
    return { ...row, verdict: result.verdict, evidence: result.evidence, by: "ambit" };
  const known = recorded.find((one) => one.id === id);
  const { verdict = "unverified", evidence = "", by = null } = known ?? {};
  return { ...row, verdict, evidence, by };
}

/** Ctrl-C ends the checks and frees the checkout; a second one is not needed. */
function watchSignals() {
  const controller = new AbortController();
  let owed: ExitCode | undefined;
  const stop = (code: ExitCode) => (): void => {
    owed ??= code;
    controller.abort();
  };
  const onInterrupt = stop(exitCode.interrupted);
  const onTerminate = stop(exitCode.terminated);
  process.on("SIGINT", onInterrupt);
  process.on("SIGTERM", onTerminate);
  return {
    abort: controller.signal,
    owed: () => owed,
    release: () => {
      process.off("SIGINT", onInterrupt);
      process.off("SIGTERM", onTerminate);
    },
  };
}
