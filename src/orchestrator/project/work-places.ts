import { pathExists } from "../../base/files.ts";
import { existsSync } from "node:fs";
import type { ShownProject } from "../../containment/contained-process.ts";
import { probeSandbox } from "../../containment/probe-sandbox.ts";
import { orchestratorErrors } from "../../errors/orchestrator.ts";
import type { Delegation } from "../../journal/store.ts";
import { advanceWorkspace, finishAdvance } from "../../workspace/advance-workspace.ts";
import { importSandboxWork } from "../../workspace/import-sandbox-work.ts";
import { importWork, type ImportedWork } from "../../workspace/import-work.ts";
import { readBranchCommit } from "../../workspace/look-up.ts";
import { commitCandidate } from "../../workspace/merge.ts";
import { type PoolSettings, WorkspacePool } from "../../workspace/pool.ts";
import { deleteWorkerBranch, releaseWorkspace } from "../../workspace/remove.ts";
import {
  createSandboxClone,
  openSandboxClone,
  removeSandboxClone,
  type SandboxClone,
} from "../../workspace/sandbox-clone.ts";
import { findWorkspace, listWritable, waitForWorkspace } from "../../workspace/find-workspace.ts";
import { createWorkspace, type Workspace, type WorkspaceSettings } from "../../workspace/worktree.ts";
import type { KeptWork, PlaceRequest, WorkPlace } from "../ports/work-place.ts";
import type { Imports } from "./imports.ts";
import type { FindRecipe } from "./place-recipes.ts";
import { placeInWorkspace, showAtOwnPath, translateState } from "./show-at-own-path.ts";
import { enterOwnNetwork, placeWorker } from "./place-worker.ts";
import { sandboxSetUp } from "./workspace-set-up.ts";

export type PoolSize = Pick<PoolSettings, "size" | "layersAhead">;

export interface PlaceSettings extends PoolSize {
  readonly findRecipe: FindRecipe;
}

/** The workspaces of one project's workers. */
export class WorkPlaces {
  readonly #workspaces: WorkspaceSettings;
  /** The pools, by the checkout of the user that their dependencies come from. */
  readonly #pools = new Map<string, WorkspacePool>();
  readonly #imports: Imports;
  readonly #findRecipe: FindRecipe;
  readonly #poolSize: PoolSize;
  #newest: WorkspacePool | undefined;
  #isPoolUsed = false;

  constructor(workspaces: WorkspaceSettings, { findRecipe, ...pool }: PlaceSettings, imports: Imports) {
    this.#workspaces = workspaces;
    this.#imports = imports;
    this.#findRecipe = findRecipe;
    this.#poolSize = pool;
  }

  makePlace(request: PlaceRequest): Promise<WorkPlace> {
    return this.#imports.run(request.id, () => this.#makePlaceNow(request));
  }

  async #makePlaceNow(request: PlaceRequest): Promise<WorkPlace> {
    const { id, base, isolation, sandboxSetUp: setUpPlace } = request;
    const settings = await this.#findRecipe(request.story);
    if (isolation === "sandbox") {
      const network = setUpPlace === undefined ? {} : { setUpNetwork: setUpPlace.network };
      return this.#openSandbox(await createSandboxClone({ ...settings, id, base, ...network }));
    }
    const { setUp } = settings;
    if (setUpPlace !== undefined && setUp !== undefined) {
      const sandboxed = { ...settings, setUp: sandboxSetUp(setUp, settings, setUpPlace) };
      return this.#openWorktree(id, settings, await createWorkspace(sandboxed, { id, base }));
    }
    return this.#openWorktree(id, settings, await this.#takeWorktree(settings, request));
  }

  async #takeWorktree(settings: WorkspaceSettings, { id, base, pooled }: PlaceRequest): Promise<Workspace> {
    this.#isPoolUsed ||= pooled;
    const pool = this.#findPool(settings);
    if (pooled) return pool.takeWorkspace({ id, base }, { ...settings, ...this.#poolSize });
    const made = await createWorkspace(settings, { id, base });
    // A workspace outside the pool may be a manager's, whose workers will start from there.
    pool.expectWorkers(base);
    return made;
  }

  /** The next workers will start from this commit. */
  expectWorkers(commit: string): void {
    if (this.#isPoolUsed) this.#newest?.followCommit(commit);
  }

  /** Searches the disk, so it also finds a workspace whose owner died before the journal knew of it. */
  async findPlace({ id, story, workspace }: Delegation): Promise<WorkPlace | undefined> {
    await this.#imports.run(id, () => finishAdvance(this.#workspaces, id));
    const clone = await openSandboxClone(this.#workspaces, id);
    if (clone !== undefined) return this.#openSandbox(clone);
    const found = findWorkspace(this.#workspaces, id);
    if (found !== undefined) return this.#openWorktree(id, await this.#findRecipe(story), found);
    if (workspace === null) return undefined;
    throw orchestratorErrors.workspaceGone(id, workspace.path);
  }

  async closePools(): Promise<void> {
    // A pool removes the leftovers of an earlier process, unless the repository was moved or deleted.
    if (pathExists(this.#workspaces.repository.commonDirectory)) this.#findPool(this.#workspaces);
    for (const pool of this.#pools.values()) await pool.close();
  }

  #findPool(settings: WorkspaceSettings): WorkspacePool {
    const { workTree } = settings.repository;
    const pool = this.#pools.get(workTree) ?? new WorkspacePool({ ...settings, ...this.#poolSize });
    this.#pools.set(workTree, pool);
    this.#newest = pool;
    return pool;
  }

  async #openWorktree(id: string, settings: WorkspaceSettings, facts: WorktreeFacts): Promise<WorkPlace> {
    const shown = await showAtOwnPath({ ...settings, path: facts.path });
    const release = async (keepBranch: boolean): Promise<boolean> => {
      const request = { id, path: facts.path, keepBranch };
      // The pool cleans its own checkouts in the background; any other is gone when this returns.
      const { status } = facts.pooled
        ? await (this.#newest ?? this.#findPool(this.#workspaces)).giveBack(request)
        : await releaseWorkspace(this.#workspaces, request);
      return status === "released";
    };
    return this.#watchImports(id, {
      ...worktreePlace(settings, { id, facts, shown }),
      release,
    });
  }

  #openSandbox(clone: SandboxClone): WorkPlace {
    return this.#watchImports(clone.id, sandboxPlace(this.#workspaces, clone));
  }

  /** Makes every read of the folder stoppable. */
  #watchImports(id: string, place: WorkPlace): WorkPlace {
    const { keepWork, advance, showMerge, release } = place;
    return {
      ...place,
      keepWork: (message, isOver) => this.#imports.run(id, () => keepWork(message, isOver)),
      advance: (commit) => this.#imports.run(id, () => advance(commit)),
      showMerge: (parents, tree) => this.#imports.run(id, () => showMerge(parents, tree)),
      release: (keepBranch) => this.#imports.run(id, () => release(keepBranch)),
    };
  }
}

type WorktreeFacts = Pick<Workspace, "path" | "branch" | "base" | "tookMs" | "environment" | "pooled">;

interface OpenWorktree {
  readonly id: string;
  readonly facts: WorktreeFacts;
  readonly shown: ShownProject | undefined;
}

function worktreePlace(
  workspaces: WorkspaceSettings,
  { id, facts, shown }: OpenWorktree,
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
    writable: listWritable(workspaces.stateDirectory, id, path),
    outbox: undefined,
    placeCommand: async (command, options) => {
      const { own = [], readable } = options;
      await waitForWorkspace(path);
      // A person may have deleted it; nothing must start in a folder that does not exist.
      if (!existsSync(path)) throw orchestratorErrors.workspaceGone(id, path);
      const placed = await placeInWorkspace({ ...workspaces, path, own, readable }, command, shown);
      return enterOwnNetwork(placed, options);
    },
    ...(shown?.git === undefined ? {} : { translate: translateState(workspaces.stateDirectory, shown) }),
    keepWork: async (message, isOver = false) => {
      const work = await importWork(workspaces, { id, message, isOver });
      return describeImport(work.base, work);
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
    writable: [path, clone.outbox],
    outbox: clone.outbox,
    placeCommand: (command, options) => placeWorker(clone, command, options),
    keepWork: async (message) => {
      const sandbox = await probeSandbox();
      const work = await importSandboxWork({ ...workspaces, clone, sandbox, message });
      return describeImport(base, work);
    },
    advance,
    showMerge: async (parents, tree) => advance(await commitShown(workspaces, parents, tree)),
    release: async (keepBranch) => {
      await removeSandboxClone(workspaces, id);
      const tip = await readBranchCommit(workspaces.repository, `refs/heads/${branch}`);
      if (!keepBranch && tip !== null) await deleteWorkerBranch(workspaces.repository, id, tip);
      return true;
    },
  };
}

function describeImport(
  base: string,
  { tip, filesChanged, putAside }: Pick<ImportedWork, "tip" | "filesChanged" | "putAside">,
): KeptWork {
  const named = putAside.map(({ path, kind }) => `${path} (${kind})`).join(", ");
  const note = `Moved to .ambit-aside in the workspace, because git would hang on it: ${named}.`;
  return {
    base,
    tip,
    filesChanged: filesChanged.map((file) => file.path),
    ...(putAside.length === 0 ? {} : { notes: [note] }),
  };
}

/** Gives the tree a commit to check out; no branch ever holds it. */
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
