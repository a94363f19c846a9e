import { homedir } from "node:os";
import { join } from "node:path";
import { agentProgramNames } from "../agents/agent-programs.ts";
import { createAdapterFinder } from "../agents/find-adapter.ts";
import { systemClock } from "../base/clock.ts";
import { loadConfig } from "../config/load-config.ts";
import { launchProcess } from "../containment/launch.ts";
import { probeContainment } from "../containment/probe-containment.ts";
import { reapLeftovers } from "../containment/reap-leftovers.ts";
import { writeLauncher, writeShims } from "../containment/write-shims.ts";
import { openProjectStore } from "../journal/open-project-store.ts";
import { storeFile } from "../journal/store-file.ts";
import { settleAgentHomes } from "../project/agent-homes.ts";
import { findTreesRoot } from "../project/find-project.ts";
import { getStateDirectory, openOwnState } from "../project/state-directory.ts";
import { settleTrees } from "../project/trees-directory.ts";
import { dropEmptyTrees } from "../workspace/remove.ts";
import { runChecks } from "../verification/run-checks.ts";
import { readRecipe } from "../workspace/recipe.ts";
import { SharedBaseChecks } from "./checks/shared-base-checks.ts";
import { openProjectTasks } from "./project-tasks.ts";
import { KeptOrigins } from "./project/kept-origins.ts";
import { createRecipes } from "./project/place-recipes.ts";
import { createCheckoutGit } from "./project/checkout-git.ts";
import { Checkouts, type CheckoutsOptions } from "./project/checkouts.ts";
import { buildConfigInput } from "./project/checkout-settings.ts";
import { createGitTools } from "./project/create-git-tools.ts";
import { ContextMeter } from "./ports/context-meter.ts";
import type { ProcessTools } from "./ports/process-tools.ts";
import type { RunNotice, RunTools } from "./ports/run-tools.ts";

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
  // The answer is cached, so that the first worker need not wait for it.
  void probeContainment().catch(() => undefined);
  const shims = writeShims(join(stateDirectory, "shims"), agentProgramNames);
  writeLauncher(shims, "ambit", program);
  const store = await openProjectStore(storeFile(projectRoot), environment);
  const config = await loadConfig(buildConfigInput({ projectRoot, environment, home }, {}));
  const { workspace, delegation } = config.values;
  settleTrees({ projectRoot: findTreesRoot(projectRoot), stateDirectory, wanted: workspace.dir });
  settleAgentHomes({ stateDirectory, environment, home });
  const origins = new KeptOrigins(stateDirectory, { environment, checkout: projectRoot });
  const openTasks: CheckoutsOptions["openTasks"] = (place) => (wish) =>
    openProjectTasks({ ...wish, ...place, store });
  const checkouts = new Checkouts({ stateDirectory, environment, home, openTasks });
  const { repository, ...main } = await checkouts.open(projectRoot);
  const findRecipe = createRecipes(stateDirectory, { origins, checkouts });
  const pool = { size: workspace.pool, layersAhead: delegation.parallel.maxConcurrent, findRecipe };
  const git = createGitTools({ repository, stateDirectory }, pool);
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
    contexts: new ContextMeter(),
    watch,
    ...main,
    slots: async () => (await main.settings()).limits.maxConcurrent,
    atCheckout: async (root) => {
      const { repository: own, ...ofCheckout } = await checkouts.open(root);
      return { ...ofCheckout, git: { ...git, ...createCheckoutGit({ repository: own, stateDirectory }) } };
    },
    findAdapter: createAdapterFinder(options.workerProgram),
    closePlaces: () => git.close().then(() => dropEmptyTrees(stateDirectory)),
    close: () => store.close(),
  };
  const readStoryRecipe = async (story: string): Promise<string> => readRecipe(await findRecipe(story));
  return { ...tools, baseChecks: new SharedBaseChecks(tools, readStoryRecipe) };
}

const systemProcesses: ProcessTools = {
  launch: (spec) => launchProcess(spec),
  runChecks,
  reap: async (run) => (await reapLeftovers([run]))[0]?.killed.length ?? 0,
};
