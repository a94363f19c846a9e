import { renderDuration } from "../../../base/duration-text.ts";
import { DelegationError, readErrorMessage } from "../../../base/delegation-error.ts";
import { randomBase36 } from "../../../base/ids.ts";
import type { Criterion } from "../../../contract/task.ts";
import {
  addRecipe,
  CheckCheckouts,
  readCheckSettings,
  runChecksOnCommit,
} from "../../../orchestrator/check-commit.ts";
import { runChecks, type CheckNotice } from "../../../verification/run-checks.ts";
import type { WorkspaceSettings } from "../../../workspace/worktree.ts";
import { joinCommands, type TrialSettings } from "./remedies.ts";
import { describeNotRun, readTestRun, type TestRun } from "./test-run.ts";
import type { TrialPlace } from "./trial-place.ts";

/** For one run of the tests. */
const MAX_RUN_MS = 300_000;

/** Runs the test command in the user's own checkout, with everything that the user's shell has. */
export async function runAtHome(place: TrialPlace, command: string): Promise<TestRun> {
  const { context, workspaces, logDirectory } = place;
  context.progress(`Running \`${command}\` here…`);
  const environment = Object.fromEntries(
    Object.entries(context.environment).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
  const [result] = await runChecks({
    ...buildRequest(place, command),
    folder: workspaces.repository.workTree,
    environment,
    logDirectory,
    limits: { timeoutMs: MAX_RUN_MS },
  });
  return readTestRun(result);
}

/** Runs it in a fresh workspace with these settings, as a check of a story would run. */
export async function runInWorkspace(
  place: TrialPlace,
  command: string,
  settings: TrialSettings,
): Promise<TestRun> {
  const { context, workspaces, values, id, commit, logDirectory } = place;
  context.progress(`Running \`${command}\` in a fresh workspace${describeSettings(settings)}…`);
  const { isolation, network, checks } = readCheckSettings(values);
  const variables = readTrialVariables(place, settings);
  const recipe = addRecipe(
    buildTrialWorkspaces(place, settings),
    joinCommands(values.workspace.setup, settings.setup),
    variables,
  );
  const { checkOut } = new CheckCheckouts(workspaces, () => Promise.resolve(recipe), 0);
  try {
    const [result] = await runChecksOnCommit(
      { checkOut, runChecks, variables, stateDirectory: workspaces.stateDirectory },
      {
        ...buildRequest(place, command),
        id,
        commit,
        logDirectory,
        trust: {
          holdsSandboxedWork: isolation === "sandbox",
          knownCommands: new Set([command]),
          isLedByAgent: false,
          sandbox: { network: network ?? false, readable: [] },
        },
        checks: { ...checks, timeoutMs: MAX_RUN_MS, retries: 0 },
      },
    );
    return readTestRun(result);
  } catch (error) {
    // A setup that fails, for example: the workspace is not what it should be.
    if (!(error instanceof DelegationError)) throw error;
    return describeNotRun(readErrorMessage(error));
  }
}

/** How a workspace is made with these settings. */
export function buildTrialWorkspaces(
  { workspaces, values }: TrialPlace,
  { include }: Pick<TrialSettings, "include">,
): WorkspaceSettings {
  const { workspace } = values;
  const { ownPath, services } = readCheckSettings(values);
  return { ...workspaces, ownPath, services, include: [...workspace.include, ...include] };
}

/** The variables of a command in such a workspace, before the allow-list is applied. */
export function readTrialVariables({ context, values }: TrialPlace, { pass }: Pick<TrialSettings, "pass">) {
  const { env } = readCheckSettings(values);
  return { environment: context.environment, pass: [...env.pass, ...pass], set: env.set };
}

function buildRequest({ context, id }: TrialPlace, command: string) {
  const criterion: Criterion = {
    id: "tests",
    text: command,
    required: true,
    verdict: "unverified",
    check: { command },
  };
  return {
    criteria: [criterion],
    changedFiles: [],
    runId: `${id}-${randomBase36(6)}`,
    timeoutMs: MAX_RUN_MS,
    onCheck: (notice: CheckNotice) => {
      if (notice.kind !== "progress") return;
      const last = notice.newestLine === "" ? "" : `, last: ${notice.newestLine}`;
      context.progress(`  ${renderDuration(notice.elapsedMs)}${last}`);
    },
    ...(context.abort === undefined ? {} : { signal: context.abort }),
  };
}

/** ` with include [.env]` */
function describeSettings({ include, setup, pass }: TrialSettings): string {
  const parts = [
    ...(include.length === 0 ? [] : [`include [${include.join(", ")}]`]),
    ...(pass.length === 0 ? [] : [`env.pass [${pass.join(", ")}]`]),
    ...(setup === null ? [] : [`setup "${setup}"`]),
  ];
  return parts.length === 0 ? "" : ` with ${parts.join(" and ")}`;
}
