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
import type { Store } from "../journal/store.ts";
import { openProjectStore, type StoreRole } from "../journal/open-project-store.ts";
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
import { createGitTools, type OpenGitTools } from "./project/create-git-tools.ts";
import { createCoordinatorRole, createMachineRole } from "./machines/cluster-roles.ts";
import { withHub } from "./machines/hub-git.ts";
import { listFreeMachines } from "./machines/list-free.ts";
import { type ClusterTools, HubGate, openCluster } from "./machines/open-cluster.ts";
import type { SentOutput } from "./machines/sent-output.ts";
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
  /** Set if this machine runs attempts for another machine that coordinates them. */
  readonly worker?: { readonly trustsAgents: boolean };
  readonly log?: (line: string) => void;
  /** Called when another process coordinates the project. */
  readonly onReplaced?: () => void;
}

export interface OpenRunTools extends RunTools {
  /** Set if several machines run the project's work. */
  readonly cluster?: ClusterTools;
  /** Set on a machine that runs attempts for another one. */
  readonly sentOutput?: SentOutput;
  /** The delegations that have a workspace on this machine, by what is on the disk. */
  listPlaces(): Promise<readonly string[]>;
  /** Removes the workspaces kept ready for workers; nothing can start afterwards. */
  closePlaces(): Promise<void>;
  close(): Promise<void>;
}

/** Composes the owners of all effects for one project. */
export async function createRunTools(options: RunToolsOptions): Promise<OpenRunTools> {
  const { projectRoot, environment } = options;
  const home = environment["HOME"] ?? homedir();
  const stateDirectory = prepareFolder(options);
  const config = await loadConfig(buildConfigInput({ projectRoot, environment, home }));
  const { workspace, delegation, cluster: settings } = config.values;
  const gate = new HubGate();
  const role = nameRole(options, settings.lease * 1000, gate);
  const store = await openProjectStore(storeFile(projectRoot), environment, role);
  settleTrees({ projectRoot: findTreesRoot(projectRoot), stateDirectory, wanted: workspace.dir });
  settleAgentHomes({ stateDirectory, environment, home });
  const origins = new KeptOrigins(stateDirectory, { environment, checkout: projectRoot });
  const openTasks: CheckoutsOptions["openTasks"] = (place) => (wish) =>
    openProjectTasks({ ...wish, ...place, store });
  const checkouts = new Checkouts({ stateDirectory, environment, home, openTasks });
  const { repository, forShell } = await checkouts.open(projectRoot);
  const main = forShell();
  const findRecipe = createRecipes(stateDirectory, { origins, checkouts });
  const pool = { size: workspace.pool, layersAhead: delegation.parallel.maxConcurrent, findRecipe };
  const cluster = await orClose(store, () => openCluster({ ...options, repository, settings }));
  gate.hub = cluster?.hub;
  const git = addHub(createGitTools({ repository, stateDirectory }, pool), cluster, options);
  const tools: OpenRunTools = {
    ...pickGiven(options),
    store,
    git,
    processes: systemProcesses,
    clock: systemClock,
    stateDirectory,
    origins,
    contexts: new ContextMeter(),
    ...(cluster === undefined ? {} : describeMachines(cluster)),
    ...main,
    slots: async () => (await main.settings()).limits.maxConcurrent,
    atOrigin: async ({ checkout, environment: shell }) => {
      const { repository: own, forShell: forOwnShell } = await checkouts.open(checkout);
      const ofOrigin = forOwnShell(shell);
      if (checkout === projectRoot) return ofOrigin;
      return { ...ofOrigin, git: { ...git, ...createCheckoutGit({ repository: own, stateDirectory }) } };
    },
    findAdapter: createAdapterFinder(options.workerProgram),
    listPlaces: () => git.listPlaces(),
    closePlaces: () => git.close().then(() => dropEmptyTrees(stateDirectory)),
    close: () => Promise.all([cluster?.close(), store.close()]).then(() => undefined),
  };
  const readStoryRecipe = async (story: string): Promise<string> => readRecipe(await findRecipe(story));
  const baseChecks = new SharedBaseChecks(tools, readStoryRecipe);
  return joinCluster({ ...tools, baseChecks }, { cluster, gate }, options);
}

function pickGiven(
  options: RunToolsOptions,
): Pick<RunTools, "environment" | "owner" | "program" | "socket" | "watch"> {
  const { environment, owner, program, socket, watch } = options;
  return { environment, owner, program, socket, watch };
}

/** A worker machine writes concurrently with the process that coordinates. */
function nameRole(options: RunToolsOptions, leaseMs: number, gate: HubGate): StoreRole {
  const { worker, onReplaced = () => undefined } = options;
  const role = worker === undefined ? { leads: { leaseMs, onReplaced } } : { isWorker: true };
  return { ...role, beforeRecord: gate.pushNamed, onTooLate: gate.takeBack };
}

/** An open store would keep the process alive. */
async function orClose<Result>(store: Store, open: () => Promise<Result>): Promise<Result> {
  try {
    return await open();
  } catch (error) {
    await store.close();
    throw error;
  }
}

function prepareFolder({ projectRoot, program }: RunToolsOptions): string {
  const stateDirectory = getStateDirectory(projectRoot);
  openOwnState(projectRoot);
  // The answer is cached, so that the first worker need not wait for it.
  void probeContainment().catch(() => undefined);
  const shims = writeShims(join(stateDirectory, "shims"), agentProgramNames);
  writeLauncher(shims, "ambit", program);
  return stateDirectory;
}

function describeMachines({ machines, poolOf }: ClusterTools): Pick<RunTools, "listMachines" | "poolOf"> {
  return { listMachines: () => listFreeMachines(machines), poolOf };
}

/** A coordinator runs no attempt itself and checks everything; a worker machine does the opposite. */
async function joinCluster(
  tools: OpenRunTools & { readonly baseChecks: SharedBaseChecks },
  { cluster, gate }: { readonly cluster: ClusterTools | undefined; readonly gate: HubGate },
  { worker, log = () => undefined }: RunToolsOptions,
): Promise<OpenRunTools> {
  if (cluster === undefined) return tools;
  const { baseChecks: _, ...others } = tools;
  const isWorker = worker !== undefined;
  const { leaveRole, ...role } = isWorker
    ? await createMachineRole(others, cluster, gate)
    : await createCoordinatorRole(tools, cluster, log);
  const close = (): Promise<void> => leaveRole().then(() => tools.close());
  return { ...(isWorker ? others : tools), ...role, cluster, close };
}

function addHub(
  git: OpenGitTools,
  cluster: ClusterTools | undefined,
  { worker }: RunToolsOptions,
): OpenGitTools {
  if (cluster === undefined) return git;
  const { hub } = cluster;
  const isWorker = worker !== undefined;
  return withHub(git, { hub, isWorker, sandboxesAll: worker?.trustsAgents === false });
}

const systemProcesses: ProcessTools = {
  launch: (spec) => launchProcess(spec),
  runChecks,
  reap: async (run) => (await reapLeftovers([run]))[0]?.killed.length ?? 0,
};
