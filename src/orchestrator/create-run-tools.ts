import { homedir } from "node:os";
import { join } from "node:path";
import { readAgentDefinition } from "../agents/definitions.ts";
import { agentProgramNames } from "../agents/agent-programs.ts";
import { createAdapterFinder } from "../agents/find-adapter.ts";
import { systemClock } from "../base/clock.ts";
import { loadConfig } from "../config/load-config.ts";
import { launchProcess } from "../containment/launch.ts";
import { probeContainment } from "../containment/probe-containment.ts";
import { reapLeftovers } from "../containment/reap-leftovers.ts";
import { writeLauncher, writeShims } from "../containment/write-shims.ts";
import { limitsFromConfig } from "../contract/config-limits.ts";
import { openStore } from "../journal/open-store.ts";
import { storeFile } from "../journal/store-file.ts";
import { getStateDirectory, openOwnState } from "../project/state-directory.ts";
import { dropEmptyTrees, settleTrees } from "../project/trees-directory.ts";
import { runChecks } from "../verification/run-checks.ts";
import { readRecipe } from "../workspace/recipe.ts";
import { openRepository } from "../workspace/repository.ts";
import type { WorkspaceSettings } from "../workspace/worktree.ts";
import { readCheckSettings } from "./checks/check-settings.ts";
import { StoryBaseChecks } from "./checks/story-base-checks.ts";
import { openProjectTasks } from "./project-tasks.ts";
import { KeptOrigins } from "./project/kept-origins.ts";
import { createRecipes } from "./project/place-recipes.ts";
import { createGitTools } from "./project/create-git-tools.ts";
import { createWorkflowTools } from "./project/create-workflow-tools.ts";
import type { ProcessTools } from "./ports/process-tools.ts";
import type { RunNotice, RunSettings, RunTools, StorySettingsSource } from "./ports/run-tools.ts";

export type { RunNotice, RunTools };

export interface RunToolsOptions {
  readonly projectRoot: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Starts the built-in scripted worker; the script file is appended. */
  readonly workerProgram: readonly string[];
  /** The command that workers call as `ambit`. */
  readonly program: readonly string[];
  readonly owner: string;
  readonly socket: string;
  readonly watch: (notice: RunNotice) => void;
}

export interface OpenRunTools extends RunTools {
  /** Removes the workspaces kept ready for workers; nothing can start afterwards. */
  closePlaces(): Promise<void>;
  close(): Promise<void>;
}

/** Composes the owners of all effects for one project. */
export async function createRunTools(options: RunToolsOptions): Promise<OpenRunTools> {
  const { projectRoot, environment, owner, socket, program, watch } = options;
  const home = environment["HOME"] ?? homedir();
  const stateDirectory = getStateDirectory(projectRoot);
  openOwnState(projectRoot);
  const searchPath = environment["PATH"] ?? "/usr/bin:/bin";
  const repository = await openRepository(projectRoot, { searchPath, home });
  // The answer is cached, so that the first worker need not wait for it.
  void probeContainment().catch(() => undefined);
  const shims = writeShims(join(stateDirectory, "shims"), agentProgramNames);
  writeLauncher(shims, "ambit", program);
  const store = openStore(storeFile(projectRoot));
  const config = await loadConfig({ projectRoot, environment, homeDirectory: home });
  const { workspace, delegation } = config.values;
  settleTrees({ projectRoot, stateDirectory, wanted: workspace.dir });
  const origins = new KeptOrigins(stateDirectory, environment);
  const settings = cachedSettings((story) => readSettings({ projectRoot, environment, home }, story));
  const workspaces = { repository, stateDirectory };
  const git = createGitTools(workspaces, {
    size: workspace.pool,
    layersAhead: delegation.parallel.maxConcurrent,
    findRecipe: createRecipes(workspaces, { origins, settings }),
  });
  const tools: OpenRunTools = {
    store,
    git,
    processes: systemProcesses,
    clock: systemClock,
    stateDirectory,
    owner,
    socket,
    program,
    environment,
    origins,
    watch,
    settings,
    workflow: createWorkflowTools({
      projectRoot,
      stateDirectory,
      environment,
      repository,
      openTasks: (place) => openProjectTasks({ ...place, projectRoot, host: repository.host, store }),
    }),
    findAdapter: createAdapterFinder(options.workerProgram),
    findAgent: async (name) => readAgentDefinition(projectRoot, name, (await settings()).defaultAgent),
    closePlaces: () => git.close().then(() => dropEmptyTrees(stateDirectory)),
    close: () => store.close(),
  };
  return addBaseChecks(tools, workspaces);
}

function addBaseChecks(tools: OpenRunTools, workspaces: WorkspaceSettings): OpenRunTools {
  return { ...tools, baseChecks: new StoryBaseChecks(tools, () => readRecipe(workspaces)) };
}

const systemProcesses: ProcessTools = {
  launch: (spec) => launchProcess(spec),
  runChecks,
  reap: async (run) => (await reapLeftovers([run]))[0]?.killed.length ?? 0,
};

interface ConfigPlace {
  readonly projectRoot: string;
  readonly environment: RunToolsOptions["environment"];
  readonly home: string;
}

async function readSettings(
  place: ConfigPlace,
  story: StorySettingsSource | undefined,
): Promise<RunSettings> {
  const { projectRoot, home } = place;
  const environment = story?.environment ?? place.environment;
  const { values } = await loadConfig({ projectRoot, environment, homeDirectory: home, story });
  return {
    limits: limitsFromConfig(values, "story"),
    ...readCheckSettings(values),
    defaultAgent: values.agents.default,
    testCommand: values.verification.test,
    artifactTypes: values.verification.artifactTypes,
    retry: values.delegation.retry,
    reassignSilent: values.delegation.idle.reassign,
    keepWorkspaces: values.delegation.logging.saveWorktrees,
    metering: values.agents.metering,
  };
}

const SETTINGS_FRESH_MS = 1000;

/** Every stage asks, so the files are read at most once a second, and again for every story that is opened. */
function cachedSettings(read: (story?: StorySettingsSource) => Promise<RunSettings>): RunTools["settings"] {
  let cached: { readonly at: number; readonly settings: Promise<RunSettings> } | undefined;
  return (story) => {
    if (story !== undefined) {
      cached = undefined;
      return read(story);
    }
    const now = systemClock.monotonicMs();
    if (cached === undefined || now - cached.at > SETTINGS_FRESH_MS) cached = { at: now, settings: read() };
    return cached.settings;
  };
}
