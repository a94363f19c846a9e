import { mkdirSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { readRegularText, writeFileAtomically } from "../../base/files.ts";
import type { ShownProject } from "../../containment/contained-process.ts";
import { probeContainment } from "../../containment/probe-containment.ts";
import { getTreesDirectory } from "../../project/trees-directory.ts";
import type { Repository } from "../../workspace/repository.ts";

export interface WorkspaceInProject {
  readonly repository: Repository;
  readonly stateDirectory: string;
  /** The workspace. */
  readonly path: string;
}

/**
 * Shows a workspace at the project's own path, so that editable installs, absolute paths, shebangs and caches mean the
 * workspace and never the user's checkout. Undefined where this machine has no namespaces for it, or where the workspace
 * is inside the project and would be hidden with it.
 */
export async function showAtOwnPath(place: WorkspaceInProject): Promise<ShownProject | undefined> {
  const { workTree, commonDirectory } = place.repository;
  const { best } = await probeContainment();
  if (best.tier !== "pid-namespace" || isInside(place.path, workTree)) return undefined;
  const shown = { folder: place.path, at: workTree };
  if (!isInside(commonDirectory, workTree)) return shown;
  const at = join(getTreesDirectory(place.stateDirectory), "git");
  if (isInside(at, workTree)) return undefined;
  const pointer = writePointer(place, at);
  if (pointer === undefined) return undefined;
  mkdirSync(at, { recursive: true, mode: 0o700 });
  return { ...shown, git: { folder: commonDirectory, at, pointer } };
}

/** Git's own folder of a linked worktree goes with it, so the pointer does, too. */
function writePointer({ repository, path }: WorkspaceInProject, gitFolder: string): string | undefined {
  const [, folder] = /^gitdir: ([^\r\n]+)\r?\n?$/.exec(readRegularText(join(path, ".git")) ?? "") ?? [];
  const worktrees = join(repository.commonDirectory, "worktrees");
  if (folder === undefined || dirname(folder) !== worktrees) return undefined;
  const pointer = join(folder, "ambit-pointer");
  writeFileAtomically(pointer, `gitdir: ${gitFolder}${folder.slice(repository.commonDirectory.length)}\n`);
  return pointer;
}

export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder + sep);
}
