import { mkdirSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { isInside, pathExists } from "../../base/files.ts";
import { findInView, type ShownProject } from "../../containment/contained-process.ts";
import { probeContainment } from "../../containment/probe-containment.ts";
import { getTreesDirectory } from "../../project/trees-directory.ts";
import type { PlacedCommand } from "../ports/work-place.ts";
import type { Repository } from "../../workspace/repository.ts";
import { writeShownPointer } from "../../workspace/worktree.ts";
import { type CoveredPlace, coverState } from "./cover-state.ts";

/** A workspace, and the parts of our state that its commands may reach. */
export interface WorkspaceInProject extends CoveredPlace {
  readonly repository: Repository;
  readonly ownPath?: boolean;
}

/**
 * Starts a command in a workspace with our state hidden: at the project's own path if namespaces are available, otherwise
 * with its variables pointing to the workspace instead of the user's checkout. `known` is the view that its worker was
 * started with, which counts even if the worker has deleted its `.git` since.
 */
export async function placeInWorkspace(
  place: WorkspaceInProject,
  command: PlacedCommand,
  known?: ShownProject,
): Promise<PlacedCommand> {
  const covered = { ...command, cover: coverState(place) };
  const shown = (await showAtOwnPath(place)) ?? known;
  if (shown !== undefined) return placeAtOwnPath(covered, shown);
  return { ...covered, environment: rewritePaths(command.environment, place) };
}

const MAX_OPTION_LENGTH = 40;

type Environment = Readonly<Record<string, string>>;

interface MovedProject {
  readonly repository: Pick<Repository, "workTree" | "commonDirectory">;
  readonly path: string;
}

/** Rewrites paths in all variables, wherever they are in them: PATH, VIRTUAL_ENV, PYTHONPATH, GOFLAGS and others. */
export function rewritePaths(environment: Environment, { repository, path: to }: MovedProject): Environment {
  const { workTree: from, commonDirectory } = repository;
  // The git folder and our state in it are the same for all worktrees.
  const isStaying = (path: string): boolean => isInside(path, commonDirectory) || isInside(path, to);
  const move = (value: string): string => {
    const [first = "", ...parts] = value.split(from);
    return parts.reduce((moved, rest) => {
      const isWhole = isPathStart(moved) && !/^[\w.-]/.test(rest);
      const [below = ""] = rest.split(/[\s"',;:]/, 1);
      return moved + (isWhole && !isStaying(from + below) ? to : from) + rest;
    }, first);
  };
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, move(value)]));
}

/** Whether a path can begin after a text: behind no other name, or behind an option such as `-I`. */
function isPathStart(before: string): boolean {
  const [name = ""] = /[\w./-]*$/.exec(before.slice(-MAX_OPTION_LENGTH)) ?? [];
  return name === "" || /^-{1,2}[A-Za-z]\w*$/.test(name);
}

/**
 * Shows a workspace at the project's own path, so that editable installs, absolute paths, shebangs and caches mean the
 * workspace and never the user's checkout. Undefined if this machine has no namespaces for it, or if the workspace is
 * inside the project and would be hidden with it.
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
  const pointer = writeShownPointer(place.path, { repository: place.repository, gitFolder: at });
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

/** Starts a command in the view, and keeps git from looking above the project. */
function placeAtOwnPath(command: PlacedCommand, shown: ShownProject): PlacedCommand {
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
