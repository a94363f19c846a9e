import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { type Clock, systemClock } from "../base/clock.ts";
import { pathExists } from "../base/files.ts";
import { workspaceErrors } from "../errors/workspace.ts";
import type { Service } from "../containment/forward-services.ts";
import { workerBranchName, checkWorkspaceId } from "./git/ref-names.ts";
import type { Repository } from "./git/repository.ts";
import { defaultDependencyFolders } from "./prepare/find-dependencies.ts";
import type { OnWorkspaceProgress } from "./prepare/progress.ts";
import type { SetUp } from "./prepare/run-set-up.ts";
import type { SlotOptions } from "./prepare/slot-options.ts";
import type { SlotRecord } from "./records/record.ts";
import { handOutSlot, refuseExistingBranch } from "./slots/hand-out.ts";
import { discardSlot, readOwnIdentity, prepareSlot } from "./slots/prepare-slot.ts";
import { buildSlotEnvironment } from "./slots/slot-environment.ts";

export { writeShownPointer } from "./slots/shown-pointer.ts";
export type { FreshCheckout, SandboxPlaces, SetUp } from "./prepare/run-set-up.ts";

/** The isolated checkout that one worker works in. */
export interface Workspace {
  readonly id: string;
  readonly path: string;
  /** `delegation/<id>` */
  readonly branch: string;
  /** The commit it started from. */
  readonly base: string;
  /** First of ten ports that no other workspace has. */
  readonly portBase: number;
  /** Whether it was waiting in the pool, ready to use. */
  readonly fromPool: boolean;
  /** Whether the pool takes it back and reuses it. */
  readonly pooled: boolean;
  readonly tookMs: number;
  /** Variables that the worker's environment needs in addition. */
  readonly environment: Readonly<Record<string, string>>;
  /** Dependency folders that are ready in it, and how each got there. */
  readonly dependencies: readonly PreparedDependency[];
  /** Ignored files brought from the user's checkout by `workspace.include` and `.worktreeinclude`. */
  readonly included: readonly string[];
}

/** `overlay`: a private layer over a shared template. `copy`: its own files, sharing disk blocks if possible. */
export type DependencyWay = "overlay" | "copy";

export interface PreparedDependency {
  /** The path relative to the workspace. */
  readonly path: string;
  readonly way: DependencyWay;
}

/** Everything needed to create a workspace of a project. */
export interface WorkspaceSettings {
  readonly repository: Repository;
  readonly stateDirectory: string;
  /** If false, programs in a workspace see it at its own place only. */
  readonly ownPath?: boolean;
  /**
   * The services that checks can reach from their own network; if null or absent, they use the network of the machine.
   */
  readonly services?: readonly Service[] | null;
  /** Shared by all projects of the user; inside the state directory if absent. */
  readonly portsDirectory?: string;
  readonly dependencyFolders?: readonly string[];
  /** Patterns of ignored files to bring, in addition to those of `.worktreeinclude`. */
  readonly include?: readonly string[];
  /** `copy` never mounts; `auto` mounts layers if this process may. */
  readonly dependencyWay?: "auto" | "copy";
  readonly onProgress?: OnWorkspaceProgress;
  /**
   * Runs `workspace.setup` once in every new or cleaned checkout before a worker gets it. A failure removes the
   * checkout and throws `WORKSPACE_NOT_MADE`.
   */
  readonly setUp?: SetUp;
  /** Identifies what `setUp` does; a change makes checkouts that were prepared earlier useless. */
  readonly recipe?: string;
  readonly clock?: Clock;
}

export interface CreateRequest {
  readonly id: string;
  /** The commit to start from, usually a snapshot. */
  readonly base: string;
}

/**
 * Creates a workspace from nothing: linked worktree, branch `delegation/<id>`, ignored files the project asks for,
 * dependencies, ports, and then the additions of `setUp`. With `pooledName` it later belongs to the pool.
 */
export async function createWorkspace(
  settings: WorkspaceSettings,
  request: CreateRequest,
  pooledName?: string,
): Promise<Workspace> {
  const clock = settings.clock ?? systemClock;
  const start = clock.monotonicMs();
  const id = checkWorkspaceId(request.id);
  const options = buildSlotOptions(settings);
  await refuseExistingBranch(options.repository, id);
  const claim = { version: 1 as const, id, base: request.base, claimedBy: readOwnIdentity() };
  const pooled = pooledName !== undefined;
  const record = await prepareSlot(options, { name: pooledName ?? id, commit: request.base, pooled, claim });
  try {
    const ready = await handOutSlot(options, record, request);
    return describeWorkspace(ready, request, clock.monotonicMs() - start);
  } catch (error) {
    await discardSlot(options, record);
    throw error;
  }
}

export function buildSlotOptions(settings: WorkspaceSettings): SlotOptions {
  const { commonDirectory } = settings.repository;
  // Our folder would bring back a part of a repository that was moved or deleted.
  if (!pathExists(commonDirectory)) throw workspaceErrors.repositoryGone(commonDirectory);
  mkdirSync(settings.stateDirectory, { recursive: true, mode: 0o700 });
  return describeSlotOptions(settings);
}

/** The same for a caller that only looks: it makes no folder. */
export function describeSlotOptions(settings: WorkspaceSettings): SlotOptions {
  // Git records resolved paths, and ours are compared with them.
  const stateDirectory = pathExists(settings.stateDirectory)
    ? realpathSync(settings.stateDirectory)
    : settings.stateDirectory;
  return {
    repository: settings.repository,
    stateDirectory,
    portsDirectory: settings.portsDirectory ?? join(stateDirectory, "ports"),
    dependencyFolders: settings.dependencyFolders ?? defaultDependencyFolders,
    dependencyWay: settings.dependencyWay ?? "auto",
    include: settings.include ?? [],
    recipe: settings.recipe ?? "",
    ...(settings.onProgress === undefined ? {} : { onProgress: settings.onProgress }),
    ...(settings.setUp === undefined ? {} : { setUp: settings.setUp }),
  };
}

export function describeWorkspace(record: SlotRecord, request: CreateRequest, tookMs: number): Workspace {
  return {
    ...request,
    path: record.path,
    branch: workerBranchName(request.id),
    portBase: record.portBase,
    fromPool: false,
    pooled: record.pooled,
    tookMs,
    environment: buildSlotEnvironment(record),
    dependencies: record.dependencies.map(({ path, way }) => ({ path, way })),
    included: record.included.map(({ path }) => path),
  };
}
