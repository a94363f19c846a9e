import { systemClock, type Clock } from "../../base/clock.ts";
import { DelegationError } from "../../base/delegation-error.ts";
import { runWithAbort } from "../../base/task-abort.ts";
import { buildEnvironment } from "../../containment/build-environment.ts";
import type { Criterion } from "../../contract/task.ts";
import type { CheckRequest, CheckResult, FailedCommand } from "../../verification/run-checks.ts";
import { useCandidate } from "../../workspace/use-candidate.ts";
import { readVariables, type CommandVariables } from "../delegation/story-tools.ts";
import type { FailedCheck, GitTools } from "../ports/git-tools.ts";
import type { ProcessTools } from "../ports/process-tools.ts";
import type { CheckSettings, RunTools } from "../ports/run-tools.ts";
import type { PlaceOptions } from "../ports/work-place.ts";
import { needsSandbox, type CheckTrust } from "./check-trust.ts";
import { repeatFailed } from "./repeat-failed.ts";
import { runInTurn } from "./run-in-turn.ts";

export interface CheckTools {
  readonly checkOut: GitTools["checkOut"];
  readonly runChecks: ProcessTools["runChecks"];
  readonly stateDirectory: string;
  /** The variables that checks start from; the allow-list is applied here. */
  readonly variables: CommandVariables;
  readonly explainFailure?: (failed: FailedCheck) => Promise<readonly string[]>;
  readonly clock?: Clock;
}

/** The tools for the checks of one story. */
export async function pickCheckTools(tools: RunTools, story: string): Promise<CheckTools> {
  const { git, processes, clock, stateDirectory } = tools;
  const variables = await readVariables(tools, story);
  const checkOut: GitTools["checkOut"] = (request) => git.checkOut({ ...request, story });
  const explainFailure: CheckTools["explainFailure"] = (failed) => git.explainFailure(failed, story);
  return { checkOut, explainFailure, runChecks: processes.runChecks, variables, clock, stateDirectory };
}

export interface CommitChecks extends Pick<
  CheckRequest,
  "changedFiles" | "criteria" | "logDirectory" | "onCheck" | "onRun" | "runId" | "signal" | "timeoutMs"
> {
  readonly checks: CheckSettings;
  readonly id: string;
  readonly commit: string;
  readonly trust: CheckTrust;
  /** The commit is the one that a story starts from. */
  readonly isBase?: boolean;
}

/**
 * Runs checks in a fresh checkout of a commit. Checks that need a sandbox run in a clone of their own inside one; if this
 * machine has no sandbox, they are not run and stay unverified. A check that fails is repeated as often as the settings
 * say. If the settings ask for it, checks wait until no other check of the project runs. Without anything to run there
 * are no results.
 */
export function runChecksOnCommit(tools: CheckTools, request: CommitChecks): Promise<readonly CheckResult[]> {
  const { checks, signal } = request;
  if (!checks.exclusive) return runAndRepeat(tools, request);
  const { stateDirectory } = tools;
  // The waiting time does not count.
  return runInTurn({ stateDirectory, signal, ifStopped: [] }, () => runAndRepeat(tools, request));
}

async function runAndRepeat(tools: CheckTools, request: CommitChecks): Promise<readonly CheckResult[]> {
  const clock = tools.clock ?? systemClock;
  const endMs = clock.monotonicMs() + request.timeoutMs;
  const results = await runOnce(tools, request);
  return repeatFailed(results, request.checks, async (criteria, turn) => {
    const timeoutMs = endMs - clock.monotonicMs();
    if (timeoutMs <= 0 || request.signal?.aborted === true) return undefined;
    return runOnce(tools, { ...request, criteria, timeoutMs, runId: `${request.runId}-again${turn}` });
  });
}

async function runOnce(tools: CheckTools, request: CommitChecks): Promise<readonly CheckResult[]> {
  const clock = tools.clock ?? systemClock;
  const endMs = clock.monotonicMs() + request.timeoutMs;
  const { trust } = request;
  const { plain, sandboxed } = splitCriteria(request.criteria, trust);
  const results = plain.length === 0 ? [] : [...(await runGroup(tools, { ...request, criteria: plain }))];
  if (sandboxed.length > 0) {
    const timeoutMs = Math.max(0, endMs - clock.monotonicMs());
    const runId = `${request.runId}-sandbox`;
    results.push(...(await runSandboxed(tools, { ...request, criteria: sandboxed, timeoutMs, runId })));
  }
  return request.criteria.flatMap((one) => results.filter(({ criterion }) => criterion === one));
}

/** Criteria that no program can check belong to either group, and to none if nothing is run. */
function splitCriteria(
  criteria: readonly Criterion[],
  trust: CheckTrust,
): { readonly plain: readonly Criterion[]; readonly sandboxed: readonly Criterion[] } {
  const sandboxed = criteria.filter((one) => needsSandbox(one, trust));
  const plain = criteria.filter((one) => !sandboxed.includes(one));
  if (plain.some(isRunnable)) return { plain, sandboxed };
  return { plain: [], sandboxed: sandboxed.some(isRunnable) ? criteria : [] };
}

function isRunnable({ check }: Criterion): boolean {
  return check !== undefined && !("manual" in check);
}

async function runSandboxed(tools: CheckTools, request: CommitChecks): Promise<readonly CheckResult[]> {
  try {
    return await runGroup(tools, request, request.trust.sandbox);
  } catch (error) {
    if (!(error instanceof DelegationError) || error.code !== "SANDBOX_UNAVAILABLE") throw error;
    const why = request.trust.holdsSandboxedWork
      ? "work of a sandboxed worker is checked in a sandbox only"
      : "a command that a worker wrote runs in a sandbox only";
    const evidence = `Not run: ${why}. ${error.message}.`;
    return request.criteria.flatMap((criterion) =>
      criterion.check === undefined
        ? []
        : [{ criterion, verdict: "unverified", code: "SANDBOX_UNAVAILABLE", evidence }],
    );
  }
}

function runGroup(
  { checkOut, runChecks, variables, explainFailure }: CheckTools,
  { id, commit, criteria, changedFiles, logDirectory, runId, timeoutMs, checks, ...hooks }: CommitChecks,
  sandbox?: PlaceOptions,
): Promise<readonly CheckResult[]> {
  const isBase = hooks.isBase === true;
  const isOffline = sandbox?.network === false;
  const explain = (failed: FailedCommand) =>
    explainFailure?.({ ...failed, commit, variables, isBase, isOffline }) ?? Promise.resolve([]);
  return useCandidate(
    () =>
      runWithAbort(hooks.signal, () =>
        checkOut({ id, commit, changed: changedFiles, ...(sandbox === undefined ? {} : { sandbox }) }),
      ),
    ({ path, environment, place }) =>
      runChecks({
        criteria,
        changedFiles,
        logDirectory,
        runId,
        timeoutMs,
        limits: { timeoutMs: checks.timeoutMs },
        explain,
        ...(hooks.onCheck === undefined ? {} : { onCheck: hooks.onCheck }),
        ...(hooks.signal === undefined ? {} : { signal: hooks.signal }),
        ...(hooks.onRun === undefined ? {} : { onRun: hooks.onRun }),
        folder: path,
        environment: buildCheckEnvironment(variables, environment),
        ...(place === undefined ? {} : { place }),
      }),
  );
}

/** Test runners behave as on a build server, unless the settings say otherwise. */
function buildCheckEnvironment(
  { environment: base, pass, set }: CommandVariables,
  ofCheckout: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return { CI: "1", ...buildEnvironment({ base, allow: pass, set: { ...set, ...ofCheckout } }) };
}
