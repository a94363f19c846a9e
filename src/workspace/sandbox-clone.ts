import { existsSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Clock, systemClock } from "../base/clock.ts";
import { DelegationError } from "../base/delegation-error.ts";
import { randomBase36 } from "../base/ids.ts";
import { removeTree } from "./files/remove-tree.ts";
import { readRef } from "./git/read-head.ts";
import { absent, changeRefs } from "./git/refs.ts";
import { runGit } from "./git.ts";
import { baseRefOf, branchOf, branchRefOf, checkWorkspaceId, foldersOf, workRefOf } from "./names.ts";
import { bringDependencies } from "./prepare/dependencies.ts";
import { defaultDependencyFolders, findDependencies } from "./prepare/find-dependencies.ts";
import { includeFiles } from "./prepare/include-files.ts";
import type { Repository } from "./repository.ts";
import { copyIndexWithTime } from "./sandbox/copy-index.ts";
import { type SandboxFolders, sandboxesFolder, sandboxFolders } from "./sandbox/folders.ts";
import { writeGitDirectory } from "./sandbox/git-directory.ts";
import { listObjectFolders } from "./sandbox/object-folders.ts";
import { refuseExistingBranch } from "./slots/hand-out.ts";
import type { Workspace } from "./workspace.ts";

export interface SandboxCloneRequest {
  readonly repository: Repository;
  readonly stateDirectory: string;
  readonly id: string;
  /** The commit to start from, usually a snapshot. */
  readonly base: string;
  readonly dependencyFolders?: readonly string[];
  readonly clock?: Clock;
}

/** A private clone for a worker in a sandbox: never a linked worktree, so no way leads from it to the user's `.git`. */
export interface SandboxClone extends Pick<
  Workspace,
  "base" | "branch" | "dependencies" | "environment" | "id" | "included" | "path" | "tookMs"
> {
  /** The places a sandbox command is built with. */
  readonly writable: readonly string[];
  readonly readOnly: readonly string[];
  readonly home: string;
  readonly temporary: string;
  /** Where the worker leaves its return and notes. */
  readonly outbox: string;
  readonly folders: SandboxFolders;
}

const CHECK_OUT_TIMEOUT_MS = 3_600_000;

/**
 * Makes what `git clone --shared --no-tags` would, without a remote, hooks or templates: branch `delegation/<id>` at
 * the base, objects borrowed from the user's repository, files of the base and those the project asks for.
 */
export async function createSandboxClone(request: SandboxCloneRequest): Promise<SandboxClone> {
  const clock = request.clock ?? systemClock;
  const start = clock.monotonicMs();
  const { repository, base } = request;
  const id = checkWorkspaceId(request.id);
  await refuseExistingBranch(repository, id);
  const stateDirectory = makeStateDirectory(request.stateDirectory);
  const folders = makeFolders(stateDirectory, id);
  const readOnly = listObjectFolders(repository);
  try {
    await fillClone(request, folders, readOnly);
    const brought = await furnish({ ...request, stateDirectory }, folders);
    await changeRefs(repository, [
      { ref: branchRefOf(id), to: base, from: absent },
      { ref: baseRefOf(id), to: base },
    ]);
    return { ...describe({ id, base, folders, readOnly }), ...brought, tookMs: clock.monotonicMs() - start };
  } catch (error) {
    rmSync(folders.root, { recursive: true, force: true });
    throw error;
  }
}

/** A sandbox that an earlier process made, or undefined: its base is kept by a ref of ours. */
export async function openSandboxClone(
  context: { readonly repository: Repository; readonly stateDirectory: string },
  name: string,
): Promise<SandboxClone | undefined> {
  const id = checkWorkspaceId(name);
  const folders = sandboxFolders(makeStateDirectory(context.stateDirectory), id);
  const base = existsSync(folders.clone) ? await readRef(context.repository, baseRefOf(id)) : undefined;
  if (base === undefined) return undefined;
  const readOnly = listObjectFolders(context.repository);
  return { ...describe({ id, base, folders, readOnly }), dependencies: [], included: [], tookMs: 0 };
}

/** Ids of the sandboxes that are there, with or without a worker. */
export function listSandboxClones(stateDirectory: string): readonly string[] {
  const folder = sandboxesFolder(stateDirectory);
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** Deletes a sandbox whose work has been imported; any other is kept. The refs of its work stay. */
export async function removeSandboxClone(
  context: { readonly repository: Repository; readonly stateDirectory: string },
  id: string,
): Promise<void> {
  const { root } = sandboxFolders(context.stateDirectory, checkWorkspaceId(id));
  if (!existsSync(root)) return;
  if ((await readRef(context.repository, workRefOf(id))) === undefined) throw notImported(id, root);
  const { trash } = foldersOf(context.stateDirectory);
  mkdirSync(trash, { recursive: true, mode: 0o700 });
  const away = join(trash, `sandbox-${id}-${randomBase36(8)}`);
  renameSync(root, away);
  await removeTree(away);
}

function makeStateDirectory(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return realpathSync(path);
}

function makeFolders(stateDirectory: string, id: string): SandboxFolders {
  const folders = sandboxFolders(stateDirectory, id);
  mkdirSync(dirname(folders.root), { recursive: true, mode: 0o700 });
  if (existsSync(folders.root)) throw alreadyThere(folders.root);
  mkdirSync(folders.root, { mode: 0o700 });
  for (const path of [folders.clone, folders.outbox, folders.home, folders.temporary])
    mkdirSync(path, { mode: 0o700 });
  return folders;
}

async function fillClone(
  { repository, id, base }: SandboxCloneRequest,
  folders: SandboxFolders,
  objects: readonly string[],
): Promise<void> {
  const gitDirectory = join(folders.clone, ".git");
  const branch = { ref: branchRefOf(id), commit: base };
  await writeGitDirectory({ repository, path: gitDirectory, objects, head: `ref: ${branch.ref}`, branch });
  await runGit({
    place: { searchPath: repository.host.searchPath, gitDirectory, workTree: folders.clone },
    arguments: ["-c", "checkout.workers=0", "read-tree", "--reset", "-u", base],
    timeoutMs: CHECK_OUT_TIMEOUT_MS,
  });
  copyIndexWithTime(join(gitDirectory, "index"), folders.index);
}

/** Ignored files and dependencies, copied: a layer over a shared folder would have to be mounted into the sandbox. */
async function furnish(
  request: SandboxCloneRequest,
  { clone }: SandboxFolders,
): Promise<Pick<SandboxClone, "dependencies" | "included">> {
  const { repository, stateDirectory, id } = request;
  const included = await includeFiles({ repository, stateDirectory, path: clone });
  const found = await findDependencies(request, request.dependencyFolders ?? defaultDependencyFolders);
  const record = { name: id, path: clone, pooled: false };
  const { dependencies } = await bringDependencies({
    repository,
    stateDirectory,
    record,
    found,
    way: "copy",
  });
  return {
    included: included.map(({ path }) => path),
    dependencies: dependencies.map(({ path, way }) => ({ path, way })),
  };
}

function describe(facts: {
  readonly id: string;
  readonly base: string;
  readonly folders: SandboxFolders;
  readonly readOnly: readonly string[];
}): Omit<SandboxClone, "dependencies" | "included" | "tookMs"> {
  const { id, base, folders, readOnly } = facts;
  const { clone, outbox, home, temporary, root } = folders;
  return {
    id,
    base,
    path: clone,
    branch: branchOf(id),
    // With Landlock the system's settings are there but cannot be read, which git takes for an error.
    environment: { GIT_CEILING_DIRECTORIES: root, GIT_CONFIG_NOSYSTEM: "1" },
    writable: [clone, outbox],
    readOnly,
    home,
    temporary,
    outbox,
    folders,
  };
}

function alreadyThere(path: string): DelegationError {
  return new DelegationError({
    code: "WORKSPACE_EXISTS",
    message: `There is already a sandbox at ${path}`,
    recommendation: "Release it, or look at what it holds with `ambit doctor`.",
    recoverable: true,
  });
}

function notImported(id: string, path: string): DelegationError {
  return new DelegationError({
    code: "WORK_NOT_IMPORTED",
    message: `The work of ${id} in ${path} has not been imported, so it is kept`,
    recommendation: "Import it first, or look at it and delete the folder by hand.",
    recoverable: true,
  });
}
