import { rmSync, existsSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../../base/clock.ts";
import { findLacks } from "../../../orchestrator/check-commit.ts";
import type { AppContext } from "../../project/app-context.ts";
import { findRemedy } from "./find-remedy.ts";
import { combineRemedies, findLikely, listRemedies, type Remedy, type TrialSettings } from "./remedies.ts";
import { buildTrialWorkspaces, readTrialVariables, runAtHome, runInWorkspace } from "./run-tests.ts";
import { isSameRun, type TestRun } from "./test-run.ts";
import { useTrialPlace, type TrialPlace } from "./trial-place.ts";

/** How the tests end at home and in a fresh workspace, and which settings make both equal. */
export interface Trial {
  readonly status: "equal" | "mended" | "different" | "unknown";
  readonly home: TestRun;
  readonly workspace: TestRun;
  readonly tried: readonly TriedSettings[];
  /** Empty unless they are needed. */
  readonly settings: TrialSettings;
}

export interface TriedSettings {
  readonly settings: TrialSettings;
  readonly run: TestRun;
  readonly isEqual: boolean;
}

const MAX_TRIES = 12;
/** For all tries together. */
const MAX_TRIAL_MS = 900_000;
const noSettings: TrialSettings = { include: [], setup: null, pass: [] };

/** Installs what a lock file names from the caches of this machine, without the network. */
const installs: readonly (readonly [file: string, command: string])[] = [
  ["pnpm-lock.yaml", "pnpm install --offline --frozen-lockfile"],
  ["yarn.lock", "yarn install --offline --frozen-lockfile"],
  ["package-lock.json", "npm ci --offline --no-audit --no-fund"],
  ["uv.lock", "uv sync --offline"],
  ["Gemfile.lock", "bundle install --local"],
];

const MAX_FILES = 20_000;
const MAX_BYTES = 1024 * 1024 * 1024;

/** Runs the test command in the user's checkout and in a fresh workspace, and looks for settings that make both equal. */
export function runTrial(context: AppContext, command: string): Promise<Trial> {
  return useTrialPlace(context, async (place) => {
    const home = await runAtHome(place, command);
    const workspace = await runInWorkspace(place, command, noSettings);
    const trial = await mendWorkspace(place, command, { home, workspace });
    // Where the tests fail, people are told where their output is.
    if (trial.status === "equal" && home.verdict === "passed")
      rmSync(place.logDirectory, { recursive: true, force: true });
    return trial;
  });
}

async function mendWorkspace(
  place: TrialPlace,
  command: string,
  runs: Pick<Trial, "home" | "workspace">,
): Promise<Trial> {
  const { home, workspace } = runs;
  const tried: TriedSettings[] = [];
  const first = { ...runs, tried, settings: noSettings };
  if (home.verdict === "unverified") return { ...first, status: "unknown" };
  if (isSameRun(home, workspace)) return { ...first, status: "equal" };
  const endMs = systemClock.monotonicMs() + MAX_TRIAL_MS;
  const isEnough = async (remedies: readonly Remedy[]): Promise<boolean> => {
    const settings = combineRemedies(remedies);
    const known = tried.find((one) => JSON.stringify(one.settings) === JSON.stringify(settings));
    if (known !== undefined) return known.isEqual;
    const isOver = tried.length >= MAX_TRIES || systemClock.monotonicMs() > endMs;
    if (isOver || place.context.abort?.aborted === true) return false;
    const run = await runInWorkspace(place, command, settings);
    const isEqual = isSameRun(home, run);
    tried.push({ settings, run, isEqual });
    return isEqual;
  };
  const found = await findRemedy(await listChoice(place, command, workspace), isEnough);
  if (found === undefined) return { ...first, status: "different" };
  return { ...first, status: "mended", settings: combineRemedies(found) };
}

async function listChoice(place: TrialPlace, command: string, { output }: TestRun) {
  const { workTree } = place.workspaces.repository;
  const lacks = await findLacks({
    workspaces: buildTrialWorkspaces(place, noSettings),
    variables: readTrialVariables(place, noSettings),
    commit: place.commit,
    command,
    output,
  });
  const ignored = lacks.ignored.filter((path) => isSmall(join(workTree, path)));
  const all = listRemedies({ ...lacks, ignored });
  const installing = findInstallCommand(workTree);
  const install = installing === undefined ? undefined : { kind: "setup" as const, command: installing };
  return { all, likely: findLikely(all, output), install };
}

function findInstallCommand(root: string): string | undefined {
  return installs.find(([file]) => existsSync(join(root, file)))?.[1];
}

/** Whether a file or folder is small enough to be copied into every workspace. */
function isSmall(path: string): boolean {
  const left = { files: MAX_FILES, bytes: MAX_BYTES };
  try {
    return measure(path, left);
  } catch {
    // It is gone or closed to us, so it cannot be copied either.
    return false;
  }
}

function measure(path: string, left: { files: number; bytes: number }): boolean {
  const stats = lstatSync(path);
  left.files -= 1;
  left.bytes -= stats.isFile() ? stats.size : 0;
  if (left.files < 0 || left.bytes < 0) return false;
  return !stats.isDirectory() || readdirSync(path).every((name) => measure(join(path, name), left));
}
