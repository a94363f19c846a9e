import { existsSync, mkdirSync, realpathSync, rmSync } from "node:fs";
import { type Clock, systemClock } from "../base/clock.ts";
import { workspaceErrors } from "../errors/workspace.ts";
import { moveToTrash } from "./files/move-to-trash.ts";
import { removeTree } from "./files/remove-tree.ts";
import { getStateFolders } from "./files/state-folders.ts";
import { readRefCommit } from "./git/read-head.ts";
import { absent } from "./git/ref-change.ts";
import {
  baseRefName,
  workerBranchName,
  workerBranchRef,
  checkWorkspaceId,
  workRefName,
} from "./git/ref-names.ts";
import { changeRefs } from "./git/refs.ts";
import type { Repository } from "./git/repository.ts";
import type { SandboxPlaces } from "./prepare/run-set-up.ts";
import { type FillRequest, fillClone } from "./sandbox/fill-clone.ts";
import { type SandboxFolders, sandboxFolders } from "./sandbox/folders.ts";
import { listObjectFolders } from "./sandbox/object-folders.ts";
import { announceSandbox, markSandboxReady, readSandboxRecord } from "./sandbox/record.ts";
import { refuseExistingBranch } from "./slots/hand-out.ts";
import { isUnimported } from "./sandbox/unimported.ts";
import type { Workspace } from "./worktree.ts";

export interface SandboxCloneRequest extends Omit<FillRequest, "branch"> {
  readonly clock?: Clock;
}

/**
 * A private clone for a worker in a sandbox. It is never a linked worktree, so no path leads from it to the user's
 * `.git`.
 */
export interface SandboxClone
  extends
    SandboxPlaces,
    Pick<
      Workspace,
      "base" | "branch" | "dependencies" | "environment" | "id" | "included" | "path" | "tookMs"
    > {
  /** Where the worker leaves its return and notes. */
  readonly outbox: string;
  readonly folders: SandboxFolders;
}

/**
 * Creates the result of `git clone --shared --no-tags`, without a remote, hooks or templates: branch `delegation/<id>` at
 * the base, objects borrowed from the user's repository, the files of the base and those the project asks for.
 */
export async function createSandboxClone(request: SandboxCloneRequest): Promise<SandboxClone> {
  const clock = request.clock ?? systemClock;
  const start = clock.monotonicMs();
  const { repository, base } = request;
  const id = checkWorkspaceId(request.id);
  await refuseExistingBranch(repository, id);
  const stateDirectory = makeStateDirectory(request.stateDirectory);
  const folders = announceSandbox(stateDirectory, { id, base });
  if (folders === undefined) throw workspaceErrors.workspaceExists(sandboxFolders(stateDirectory, id).root);
  const readOnly = listObjectFolders(repository);
  const described = describeClone({ id, base, folders, readOnly });
  try {
    const branch = { ref: workerBranchRef(id), commit: base };
    const brought = await fillClone({ ...request, stateDirectory, branch }, described);
    await changeRefs(repository, [
      { ref: workerBranchRef(id), to: base, from: absent },
      { ref: baseRefName(id), to: base },
    ]);
    markSandboxReady(folders, base);
    return { ...described, ...brought, tookMs: clock.monotonicMs() - start };
  } catch (error) {
    rmSync(folders.root, { recursive: true, force: true });
    throw error;
  }
}

/** Opens a sandbox of an earlier process, or returns undefined; an unfinished one holds no work. */
export function openSandboxClone(
  context: { readonly repository: Repository; readonly stateDirectory: string },
  name: string,
): Promise<SandboxClone | undefined> {
  const id = checkWorkspaceId(name);
  const folders = sandboxFolders(makeStateDirectory(context.stateDirectory), id);
  const record = readSandboxRecord(folders);
  if (record?.isReady !== true || !existsSync(folders.clone)) return Promise.resolve(undefined);
  const { base } = record;
  const readOnly = listObjectFolders(context.repository);
  const described = describeClone({ id, base, folders, readOnly });
  return Promise.resolve({ ...described, dependencies: [], included: [], tookMs: 0 });
}

/** Deletes a sandbox whose work has been imported; any other is kept. The refs of its work stay. */
export async function removeSandboxClone(
  context: { readonly repository: Repository; readonly stateDirectory: string },
  id: string,
): Promise<void> {
  const folders = sandboxFolders(context.stateDirectory, checkWorkspaceId(id));
  const { root } = folders;
  if (!existsSync(root)) return;
  if (isUnimported(folders) || (await readRefCommit(context.repository, workRefName(id))) === undefined)
    throw workspaceErrors.workNotImported(id, root);
  await removeTree(moveToTrash(getStateFolders(context.stateDirectory).trash, root));
}

function makeStateDirectory(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return realpathSync(path);
}

function describeClone(facts: {
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
    branch: workerBranchName(id),
    // With Landlock the system's settings exist but cannot be read, which git reports as an error.
    environment: { GIT_CEILING_DIRECTORIES: root, GIT_CONFIG_NOSYSTEM: "1" },
    writable: [clone, outbox],
    readOnly,
    home,
    temporary,
    outbox,
    folders,
  };
}
