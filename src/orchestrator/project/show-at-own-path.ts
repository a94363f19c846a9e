import { mkdirSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { isInside, pathExists, readRegularText, writeFileAtomically } from "../../base/files.ts";
import { findInView, type ShownProject } from "../../containment/contained-process.ts";
import { probeContainment } from "../../containment/probe-containment.ts";
import { getTreesDirectory } from "../../project/trees-directory.ts";
import type { PlacedCommand } from "../ports/work-place.ts";
import type { Repository } from "../../workspace/repository.ts";

export interface WorkspaceInProject {
  readonly repository: Repository;
  readonly stateDirectory: string;
  readonly ownPath?: boolean;
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
  if (place.ownPath === false) return undefined;
  const { best } = await probeContainment();
  if (best.tier !== "pid-namespace" || isInside(place.path, workTree)) return undefined;
  if (!isProgramThere(place)) return undefined;
  const shown = { folder: place.path, at: workTree };
  if (!isInside(commonDirectory, workTree)) return shown;
  const at = join(getTreesDirectory(place.stateDirectory), "git");
  if (isInside(at, workTree)) return undefined;
  const pointer = writePointer(place, at);
  if (pointer === undefined) return undefined;
  mkdirSync(at, { recursive: true, mode: 0o700 });
  return { ...shown, git: { folder: commonDirectory, at, pointer } };
}

/** Ambit itself may be installed in the project; a worker that calls it must find it. */
function isProgramThere({ repository, path }: WorkspaceInProject): boolean {
  const program = process.argv[1] ?? "/";
  if (!isInside(program, repository.workTree)) return true;
  return pathExists(path + program.slice(repository.workTree.length));
}

/** Git's own folder of a linked worktree goes with it, so the pointer does, too. */
function writePointer({ repository, path }: WorkspaceInProject, gitFolder: string): string | undefined {
  const [, folder] = /^gitdir: ([^\r\n]+)\r?\n?$/.exec(readRegularText(join(path, ".git")) ?? "") ?? [];
  const worktrees = join(repository.commonDirectory, "worktrees");
  if (folder === undefined || dirname(folder) !== worktrees) return undefined;
  const pointer = join(folder, "ambit-pointer");
  const text = `gitdir: ${gitFolder}${folder.slice(repository.commonDirectory.length)}\n`;
  // A file that is shown somewhere is not replaced: a sandbox inside the view could not mount the old one again.
  if (readRegularText(pointer) !== text) writeFileAtomically(pointer, text);
  return pointer;
}

/** Starts a command in the view, and keeps git from looking above the project. */
export function placeAtOwnPath(command: PlacedCommand, shown: ShownProject): PlacedCommand {
  const { environment } = command;
  const before = environment["GIT_CEILING_DIRECTORIES"];
  const ceilings = [...(before === undefined ? [] : [before]), dirname(shown.at)].join(delimiter);
  return {
    ...command,
    environment: { ...environment, GIT_CEILING_DIRECTORIES: ceilings },
    shown,
    tier: "pid-namespace",
  };
}

/** The state folder is in the git folder, which has another place in the view. */
export function translateState(stateDirectory: string, shown: ShownProject): (text: string) => string {
  const inside = findInView(stateDirectory, shown);
  return (text) => text.replaceAll(stateDirectory, inside);
}
