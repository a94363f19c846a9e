import { lstatSync, mkdirSync, rmdirSync } from "node:fs";
import { createHash } from "node:crypto";
import { basename, dirname, join, resolve } from "node:path";
import { canWrite, pathExists, listFolder } from "../base/files.ts";
import { getTemporaryFolder } from "../base/temporary-folder.ts";
import { projectErrors } from "../errors/project.ts";
import { findProjectRoot } from "./find-project.ts";
import { describePlace, readPlace, writePlace } from "./state/place-file.ts";

/** The place of a project's trees does not change while its supervisor runs; reading it each time would cost more. */
const known = new Map<string, string>();

/** The folder with all trees of a project: workspaces, shared trees, layers, trash. In the state folder unless chosen. */
export function getTreesDirectory(stateDirectory: string): string {
  const place = known.get(stateDirectory) ?? readPlace(stateDirectory)?.trees;
  if (place === undefined) return stateDirectory;
  known.set(stateDirectory, place);
  return place;
}

export interface TreesWish {
  readonly projectRoot: string;
  readonly stateDirectory: string;
  /** `workspace.dir`, relative to the project's root. */
  readonly wanted: string | null;
}

/**
 * Chooses where the trees go and notes it in the state folder. While workspaces are open in another place, that place
 * stays in use: their paths are in records, in git's own files and in the sessions of agents.
 */
export function settleTrees(wish: TreesWish): string {
  const { stateDirectory } = wish;
  const place = readPlace(stateDirectory);
  if (place === undefined) return stateDirectory;
  const trees = planTrees(wish);
  makeOwnFolder(trees);
  if (place.trees !== trees) writePlace(stateDirectory, { ...place, trees });
  known.set(stateDirectory, trees);
  return trees;
}

/** Where the trees are, or will be. Changes nothing. */
export function planTrees({ projectRoot, stateDirectory, wanted }: TreesWish): string {
  const trees = readPlace(stateDirectory)?.trees;
  if (trees !== undefined && holdsWorkspaces(trees)) return trees;
  return wanted === null
    ? chooseTrees(projectRoot)
    : join(resolve(projectRoot, wanted), nameProject(projectRoot));
}

/** Notes trees that are already in a place, and describes the state folder around the note. */
export function noteTrees(stateDirectory: string, trees: string): void {
  writePlace(stateDirectory, { ...describePlace(stateDirectory), trees });
  known.set(stateDirectory, trees);
}

/** Removes the folder, and the one around it that we made, unless there are workspaces. What holds files stays. */
export function removeIdleTrees(stateDirectory: string): void {
  const trees = getTreesDirectory(stateDirectory);
  if (trees === stateDirectory || holdsWorkspaces(trees)) return;
  for (const name of listFolder(trees)) removeEmptyFolder(join(trees, name));
  if (removeEmptyFolder(trees)) removeEmptyFolder(dirname(trees));
}

/**
 * Beside the repository, where test runners and linters of the project do not look, and with no hidden part in the path,
 * which some of them skip. Beside a repository inside another one would be inside that one.
 */
export function chooseTrees(projectRoot: string): string {
  const parent = dirname(projectRoot);
  const beside = join(parent, `${basename(projectRoot)}.worktrees`, "ambit");
  const isFree = parent !== projectRoot && findProjectRoot(parent) === undefined && !isHidden(parent);
  const away = join(findTemporaryFolder(), `ambit-${process.getuid?.() ?? 0}`, nameProject(projectRoot));
  const candidates = isFree && canMake(beside) ? [beside, away] : [away];
  return candidates.find((path) => isSameDevice(path, projectRoot)) ?? candidates[0] ?? away;
}

function holdsWorkspaces(trees: string): boolean {
  return ["workspace-records", "sandboxes"].some((name) => listFolder(join(trees, name)).length > 0);
}

function isHidden(path: string): boolean {
  return path.split("/").some((part) => part.startsWith(".") || part === "node_modules");
}

function nameProject(projectRoot: string): string {
  const hash = createHash("sha256").update(projectRoot).digest("hex").slice(0, 12);
  return `${basename(projectRoot)}-${hash}`;
}

/** `/var/tmp` survives a restart of the machine. */
function findTemporaryFolder(): string {
  return canWrite("/var/tmp") ? "/var/tmp" : getTemporaryFolder();
}

function canMake(path: string): boolean {
  if (!pathExists(path)) return canWriteAbove(path);
  return describeTrouble(path) === undefined;
}

function canWriteAbove(path: string): boolean {
  const parent = dirname(path);
  return pathExists(parent) ? canWrite(parent) : canWriteAbove(parent);
}

function isSameDevice(path: string, projectRoot: string): boolean {
  const existing = pathExists(path) ? path : undefined;
  if (existing === undefined) return path !== dirname(path) && isSameDevice(dirname(path), projectRoot);
  return lstatSync(existing).dev === lstatSync(projectRoot).dev;
}

/** The last two levels are ours; anything else at their paths is refused. */
function makeOwnFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const trouble = describeTrouble(path) ?? describeTrouble(dirname(path));
  if (trouble !== undefined) throw projectErrors.treesNotOurs(path, trouble);
}

function describeTrouble(path: string): string | undefined {
  const stats = lstatSync(path);
  if (!stats.isDirectory()) return `${path} is not a folder`;
  if (stats.uid !== process.geteuid?.()) return `user ${stats.uid} owns ${path}`;
  return undefined;
}

function removeEmptyFolder(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch {
    // It is not empty, or not a folder: it stays.
    return false;
  }
}
