import { mkdirSync } from "node:fs";
import type { CandidateRequest } from "./candidate.ts";
import { touchFiles } from "./files/touch-files.ts";
import { removeTree } from "./files/remove-tree.ts";
import { chooseScratchFolder } from "./files/scratch-folder.ts";
import type { ProjectContext } from "./git/repository.ts";
import type { SandboxPlaces } from "./prepare/run-set-up.ts";
import { fillClone } from "./sandbox/fill-clone.ts";
import { foldersBelow, type SandboxFolders } from "./sandbox/folders.ts";
import { listObjectFolders } from "./sandbox/object-folders.ts";
import { buildSlotOptions, type WorkspaceSettings } from "./worktree.ts";

/** The files of a commit for checks in a sandbox. It is a clone like a sandboxed worker's, with its own `.git`. */
export interface SandboxCandidate extends SandboxPlaces {
  readonly path: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly release: () => Promise<void>;
}

export interface SandboxCandidateRequest extends CandidateRequest {
  /** Network access for `workspace.setup`, which may run code that a worker wrote. */
  readonly network: boolean;
}

/**
 * Checks a commit out for checks that run in a sandbox; `workspace.setup` runs in the same one. The name of the folder
 * starts with our process id, so that `listOrphans` finds it after a crash.
 */
export async function checkOutSandboxCandidate(
  settings: WorkspaceSettings,
  { id, commit, network, changed = [] }: SandboxCandidateRequest,
): Promise<SandboxCandidate> {
  const { repository, stateDirectory } = buildSlotOptions(settings);
  const folders = makeScratchSandbox(stateDirectory);
  const { root, clone, home, temporary } = folders;
  const places: SandboxPlaces = {
    writable: [clone],
    readOnly: listObjectFolders(repository),
    home,
    temporary,
  };
  const environment = { GIT_CEILING_DIRECTORIES: root, GIT_CONFIG_NOSYSTEM: "1" };
  const release = (): Promise<void> => removeTree(root);
  try {
    const request = { ...settings, stateDirectory, id, base: commit, setUpNetwork: network };
    await fillClone(request, { ...places, path: clone, environment, folders });
    touchFiles(clone, changed);
    return { ...places, path: clone, environment, release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Lends the places of a sandbox around a folder that has none of its own; they are removed afterwards. */
export async function withSandboxPlaces<Result>(
  { repository, stateDirectory, path }: ProjectContext & { readonly path: string },
  use: (places: SandboxPlaces) => Promise<Result>,
): Promise<Result> {
  const { root, home, temporary } = makeScratchSandbox(stateDirectory);
  try {
    return await use({ writable: [path], readOnly: listObjectFolders(repository), home, temporary });
  } finally {
    await removeTree(root);
  }
}

function makeScratchSandbox(stateDirectory: string): SandboxFolders {
  const folders = foldersBelow(chooseScratchFolder(stateDirectory));
  for (const path of [folders.clone, folders.home, folders.temporary])
    mkdirSync(path, { recursive: true, mode: 0o700 });
  return folders;
}
