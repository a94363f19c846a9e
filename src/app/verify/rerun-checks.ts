import { rmSync } from "node:fs";
import { join } from "node:path";
import { renderDuration } from "../../base/duration-text.ts";
import { randomBase36 } from "../../base/ids.ts";
import { loadConfig } from "../../config/load-config.ts";
import { reviewErrors } from "../../errors/work.ts";
import type { Criterion } from "../../contract/task.ts";
import type { Delegation } from "../../journal/store.ts";
import { describeCheck } from "../../verification/read-criteria.ts";
import { listKeptChecks } from "../../verification/ratchet.ts";
import { runChecks, type CheckNotice, type CheckResult } from "../../verification/run-checks.ts";
import { storyRefName } from "../../workspace/branch-names.ts";
import { listChangedPaths, readBranchCommit } from "../../workspace/look-up.ts";
import type { WorkspaceSettings } from "../../workspace/worktree.ts";
import type { AppContext } from "../project/app-context.ts";
import { findProject, openWorkspaces } from "../project/open-project.ts";
import {
  addRecipe,
  buildCheckTrust,
  CheckCheckouts,
  explainFailure,
  readCheckSettings,
  runChecksOnCommit,
} from "../../orchestrator/check-commit.ts";
import { findAcceptedChecks, type CriterionRow } from "../../orchestrator/criteria-rows.ts";
import type { VerifiedWork } from "./verified-work.ts";

export interface Rerun {
  readonly commit: string;
  readonly rows: readonly CriterionRow[];
}

/**
 * Runs the checks again on the work as it is now: a story's branch, or a delegation's kept work, in a fresh checkout
 * that is removed afterwards. Decisions of people stay. Nothing is written into the journal.
 */
export async function rerunChecks(context: AppContext, work: VerifiedWork): Promise<Rerun> {
  const { delegation } = work;
  const workspaces = await openWorkspaces(context);
  const commit = await findCommit(workspaces, delegation);
  const criteria = collectCriteria(work);
  context.progress(`Checking ${commit.slice(0, 12)} in a fresh checkout…`);
  const abort = context.abort ?? new AbortController().signal;
  const results = await checkCommit(context, workspaces, { work, commit, criteria, abort });
  return { commit, rows: criteria.map((criterion) => describeResult(criterion, work.rows, results)) };
}

async function findCommit(workspaces: WorkspaceSettings, delegation: Delegation): Promise<string> {
  const { id, story, tip } = delegation;
  const branch = id === story ? await readBranchCommit(workspaces.repository, storyRefName(story)) : null;
  const commit = branch ?? tip;
  if (commit !== null) return commit;
  throw reviewErrors.nothingToCheck(id, story);
}

/** Its own criteria, and for a story the checks that every accepted part has to keep green. */
function collectCriteria({ delegation, tree }: VerifiedWork): readonly Criterion[] {
  const own = delegation.work?.criteria ?? [];
  if (delegation.parent !== null) return own;
  const kept = listKeptChecks(findAcceptedChecks(tree, delegation), own);
  return [...own, ...kept.map(({ criterion }) => criterion)];
}

interface CheckedCommit {
  readonly work: VerifiedWork;
  readonly commit: string;
  readonly criteria: readonly Criterion[];
  readonly abort: AbortSignal;
}

async function checkCommit(
  context: AppContext,
  workspaces: WorkspaceSettings,
  { work, commit, criteria, abort }: CheckedCommit,
): Promise<readonly CheckResult[]> {
  const { delegation } = work;
  const { id, base, timeoutSeconds } = delegation;
  const name = `rerun-${randomBase36(8)}`;
  const logDirectory = join(workspaces.stateDirectory, "logs", id, name);
  const projectRoot = findProject(context).root;
  const config = await loadConfig({ ...context, projectRoot });
  const settings = readCheckSettings(config.values);
  const variables = { ...settings.env, environment: context.environment };
  const { include, ownPath, services } = settings;
  const recipe = addRecipe({ ...workspaces, include, ownPath, services }, settings.setup, variables);
  const { checkOut } = new CheckCheckouts(workspaces, () => Promise.resolve(recipe), 0);
  const results = await runChecksOnCommit(
    {
      ...workspaces,
      checkOut,
      runChecks,
      variables,
      explainFailure: (failed) => explainFailure(recipe, failed),
    },
    {
      id,
      commit,
      criteria,
      trust: buildCheckTrust({
        ...work,
        settings,
        root: work.tree.find(({ parent }) => parent === null),
      }),
      changedFiles: base === null ? [] : await listChangedPaths(workspaces.repository, base, commit),
      logDirectory,
      runId: `${delegation.executionId}-${name}`,
      timeoutMs: timeoutSeconds * 1000,
      checks: settings.checks,
      onCheck: (notice) => tellProgress(context, notice),
      signal: abort,
    },
  );
  // A failed check names its log; nothing needs the logs of passed ones.
  if (results.every(({ verdict }) => verdict === "passed"))
    rmSync(logDirectory, { recursive: true, force: true });
  return results;
}

function tellProgress(context: AppContext, notice: CheckNotice): void {
  if (notice.kind !== "progress") return;
  const last = notice.newestLine === "" ? "" : `, last: ${notice.newestLine}`;
  context.progress(`checking \`${notice.command}\`, ${renderDuration(notice.elapsedMs)}${last}`);
}

function describeResult(
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
