import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { ContainmentTier } from "../../containment/contained-process.ts";
import { probeContainment } from "../../containment/probe-containment.ts";
import { probeSandbox } from "../../containment/probe-sandbox.ts";
import { buildSandboxCommand, chooseLaunchTier } from "../../containment/sandbox-command.ts";
import { DelegationError } from "../../base/delegation-error.ts";
import type { Delegation } from "../../journal/store.ts";
import { advanceWorkspace, finishAdvance } from "../../workspace/advance-workspace.ts";
import { importSandboxWork } from "../../workspace/import-sandbox-work.ts";
import { importWork } from "../../workspace/import-work.ts";
import { readBranch } from "../../workspace/look-up.ts";
import { commitCandidate } from "../../workspace/merge.ts";
import { type PoolSettings, WorkspacePool } from "../../workspace/pool.ts";
import { dropBranch, releaseWorkspace } from "../../workspace/remove.ts";
import {
  createSandboxClone,
  openSandboxClone,
  removeSandboxClone,
  type SandboxClone,
} from "../../workspace/sandbox-clone.ts";
import { findWorkspace } from "../../workspace/find-workspace.ts";
import { createWorkspace, type Workspace, type WorkspaceSettings } from "../../workspace/worktree.ts";
import { agentInstallation } from "./agent-installation.ts";

export type Isolation = "worktree" | "sandbox";

export interface PlaceOptions {
  readonly network: boolean;
  readonly readable: readonly string[];
}

/** A command as it is started in a place: with or without a sandbox around it. */
export interface PlacedCommand {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly tier?: ContainmentTier;
}

export interface KeptWork {
  /** What the work is compared with. */
  readonly base: string;
  readonly tip: string;
  readonly filesChanged: readonly string[];
}

/** Where one worker works: a linked worktree, or a private clone inside a sandbox. The stages need not know which. */
export interface WorkPlace {
  readonly isolation: Isolation;
  readonly path: string;
  readonly branch: string;
  readonly base: string;
  readonly tookMs: number;
  readonly environment: Readonly<Record<string, string>>;
  /** A folder the worker can write where its return is looked for, when it cannot reach the log folder. */
  readonly outbox: string | undefined;
  readonly placeCommand: (command: PlacedCommand, options: PlaceOptions) => Promise<PlacedCommand>;
  readonly keepWork: (message: string) => Promise<KeptWork>;
  /** Brings the files to a newer commit, on which the work goes on. All of the work must have been kept. */
  readonly advance: (commit: string) => Promise<void>;
  /** Brings the files to a tree that is no commit of anybody's yet, to be worked on. */
  readonly showMerge: (parents: readonly string[], tree: string) => Promise<void>;
  /** Frees the place once its work is kept; false when that could not be proven. The branch goes when it is not needed. */
  readonly release: (keepBranch: boolean) => Promise<boolean>;
}

/** What was asked for goes before the project's setting. */
export function isolationOf(delegation: Delegation, setting: Isolation): Isolation {
  return delegation.work?.isolation ?? setting;
}

export interface PlaceRequest {
  readonly id: string;
  readonly base: string;
  readonly isolation: Isolation;
  readonly pooled: boolean;
}

export type PoolSize = Pick<PoolSettings, "size" | "layersAhead">;

/** The places of one project's workers. */
export class WorkPlaces {
  readonly #workspaces: WorkspaceSettings;
  readonly #pool: WorkspacePool;
  #isPoolUsed = false;

  constructor(workspaces: WorkspaceSettings, pool: PoolSize) {
    this.#workspaces = workspaces;
    this.#pool = new WorkspacePool({ ...workspaces, ...pool });
  }

  async make(request: PlaceRequest): Promise<WorkPlace> {
    const { id, base, isolation, pooled } = request;
    if (isolation === "sandbox")
      return sandboxPlace(this.#workspaces, await createSandboxClone({ ...this.#workspaces, id, base }));
    const made = await (pooled
      ? this.#pool.take({ id, base })
      : createWorkspace(this.#workspaces, { id, base }));
    this.#isPoolUsed ||= pooled;
    // Who has no pooled one may be a manager, whose workers will start from there.
    if (!pooled) this.#pool.expectWorkers(base);
    return this.#worktree(id, made);
  }

  /** The next workers will start from there. */
  expect(commit: string): void {
    if (this.#isPoolUsed) this.#pool.follow(commit);
  }

  /** By what is on disk: also the place of a worker whose owner died before it could be written down. */
  async find({ id, workspace }: Delegation): Promise<WorkPlace | undefined> {
    await finishAdvance(this.#workspaces, id);
    const clone = await openSandboxClone(this.#workspaces, id);
    if (clone !== undefined) return sandboxPlace(this.#workspaces, clone);
    const found = findWorkspace(this.#workspaces, id);
    if (found !== undefined) return this.#worktree(id, found);
    if (workspace === null) return undefined;
    throw gone(id, workspace.path);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  #worktree(id: string, facts: WorktreeFacts): WorkPlace {
    const release = async (keepBranch: boolean): Promise<boolean> => {
      const request = { id, path: facts.path, keepBranch };
      // One of the pool's is cleaned in the background; any other is gone when this returns.
      const { status } = facts.pooled
        ? await this.#pool.giveBack(request)
        : await releaseWorkspace(this.#workspaces, request);
      return status === "released";
    };
    return { ...worktreePlace(this.#workspaces, id, facts), release };
  }
}

type WorktreeFacts = Pick<Workspace, "path" | "branch" | "base" | "tookMs" | "environment" | "pooled">;

function worktreePlace(
  workspaces: WorkspaceSettings,
  id: string,
  facts: WorktreeFacts,
): Omit<WorkPlace, "release"> {
  const { path, branch, base, tookMs, environment } = facts;
  const advance = async (to: string): Promise<void> => advanceWorkspace(workspaces, { id, path, to });
  return {
    isolation: "worktree",
    path,
    branch,
    base,
    tookMs,
    environment,
    outbox: undefined,
    placeCommand: async (command) => {
      // By hand, while nobody looked: nothing must be started in a folder that is not there.
      if (!existsSync(path)) throw gone(id, path);
      return command;
    },
    keepWork: async (message) => {
      const work = await importWork(workspaces, { id, message });
      return { base: work.base, tip: work.tip, filesChanged: work.filesChanged.map((file) => file.path) };
    },
    advance,
    showMerge: async (parents, tree) => advance(await commitShown(workspaces, parents, tree)),
  };
}

function sandboxPlace(workspaces: WorkspaceSettings, clone: SandboxClone): WorkPlace {
  const { id, path, branch, base, tookMs, environment } = clone;
  const advance = async (to: string): Promise<void> => advanceWorkspace(workspaces, { id, path, to });
  return {
    isolation: "sandbox",
    path,
    branch,
    base,
    tookMs,
    environment,
    outbox: clone.outbox,
    placeCommand: (command, options) => placeInSandbox(clone, command, options),
    keepWork: async (message) => {
      const sandbox = await probeSandbox();
      const work = await importSandboxWork({ ...workspaces, clone, sandbox, message });
      return { base, tip: work.tip, filesChanged: work.filesChanged.map((file) => file.path) };
    },
    advance,
    showMerge: async (parents, tree) => advance(await commitShown(workspaces, parents, tree)),
    release: async (keepBranch) => {
      await removeSandboxClone(workspaces, id);
      const tip = await readBranch(workspaces.repository, `refs/heads/${branch}`);
      if (!keepBranch && tip !== null) await dropBranch(workspaces.repository, id, tip);
      return true;
    },
  };
}

async function placeInSandbox(
  clone: SandboxClone,
  command: PlacedCommand,
  { network, readable }: PlaceOptions,
): Promise<PlacedCommand> {
  const sandbox = await probeSandbox();
  const installed = agentInstallation(command.argv);
  const built = buildSandboxCommand({
    ...clone,
    tier: sandbox.tier,
    tools: sandbox.tools,
    argv: installed.argv,
    environment: command.environment,
    readOnly: [...clone.readOnly, ...programFolders(), ...installed.readable, ...readable],
    cwd: clone.path,
    network,
  });
  return { ...built, tier: chooseLaunchTier(await probeContainment()) };
}

/** Only to have a name for the tree: no branch of anybody's ever holds it. */
function commitShown(
  { repository }: WorkspaceSettings,
  parents: readonly string[],
  tree: string,
): Promise<string> {
  return commitCandidate(repository, {
    tree,
    parents,
    message: "Both sides, with conflict markers\n",
    timeSeconds: 0,
  });
}

/** Our own program, for the built-in worker; Node itself where it is not among the system's folders. */
function programFolders(): readonly string[] {
  const own = dirname(process.argv[1] ?? "/");
  const node = dirname(dirname(process.execPath));
  return [own, node].filter((folder) => folder.startsWith("/") && folder !== "/" && folder !== "/usr");
}

function gone(id: string, path: string): DelegationError {
  return new DelegationError({
    code: "WORKSPACE_GONE",
    message: `The workspace ${path} of ${id} is no longer there`,
    recommendation: `What was kept of it is on delegation/${id}; ambit retry ${id} begins again.`,
  });
}
