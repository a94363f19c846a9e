import { chmodSync, lstatSync, mkdirSync, readdirSync, renameSync, type Stats } from "node:fs";
import { join } from "node:path";
import { hasErrorCode, pathExists } from "../base/files.ts";
import { projectErrors } from "../errors/project.ts";
import { findCommonDirectory } from "./find-project.ts";
import { describePlace, isSameFolder, readPlace, writePlace } from "./state/place-file.ts";

/** The result of looking at a state folder. Only `ours` is ever obeyed. */
export type StateCheck =
  | { readonly kind: "absent" }
  | { readonly kind: "ours" }
  /** A complete folder that was made elsewhere; `isOriginalAlive` when that folder is still there. */
  | { readonly kind: "copy"; readonly of: string; readonly isOriginalAlive: boolean }
  | { readonly kind: "foreign"; readonly reason: string }
  /** A folder with a journal, without the note of where it was made: it may be a copy. */
  | { readonly kind: "unplaced" };

/**
 * Ambit's folder of a project: journal, logs, sockets. It is in the git folder, because git never checks anything out
 * into it: what is there did not come with a clone.
 */
export function getStateDirectory(projectRoot: string): string {
  return join(findCommonDirectory(projectRoot) ?? join(projectRoot, ".git"), "ambit");
}

export function checkState(directory: string): StateCheck {
  const stats = lstatSync(directory, { throwIfNoEntry: false });
  if (stats === undefined) return { kind: "absent" };
  const trouble = stats.isDirectory() ? describeOwner(stats) : "it is not a folder";
  if (trouble !== undefined) return { kind: "foreign", reason: trouble };
  const entry = findForeignEntry(directory);
  if (entry !== undefined) return { kind: "foreign", reason: entry };
  const place = readPlace(directory);
  if (place === undefined) return checkWithoutPlace(directory);
  if (isSameFolder(directory, place)) return { kind: "ours" };
  return { kind: "copy", of: place.path, isOriginalAlive: isAlive(place.path, place.id) };
}

/** For readers: the state folder; refuses one that this user did not make in this repository. */
export function requireOwnState(projectRoot: string): string {
  const directory = getStateDirectory(projectRoot);
  const check = checkState(directory);
  if (check.kind !== "absent" && check.kind !== "ours") throw refuseState(directory, check);
  return directory;
}

/**
 * For the owner of a project: makes the state folder where there is none, and closes it to other users. A copy whose
 * original is still there is put aside, so that no story is continued in two places; returns where it went.
 */
export function openOwnState(projectRoot: string): { readonly putAside: string | undefined } {
  const directory = getStateDirectory(projectRoot);
  const check = checkState(directory);
  const isUnclear = check.kind === "foreign" || check.kind === "unplaced";
  if (isUnclear || (check.kind === "copy" && !check.isOriginalAlive)) throw refuseState(directory, check);
  const putAside = check.kind === "copy" ? putStateAside(directory) : undefined;
  makeFolder(directory);
  makeFolder(join(directory, "logs"));
  for (const name of readdirSync(directory)) closeToOthers(join(directory, name));
  notePlace(directory);
  return { putAside };
}

/** Notes where the folder is now. Written only when that changed. */
function notePlace(directory: string): void {
  const noted = readPlace(directory);
  const now = { ...describePlace(directory, noted?.id), trees: noted?.trees, homes: noted?.homes };
  const isNoted = noted?.path === now.path && noted.inode === now.inode && noted.born === now.born;
  if (!isNoted) writePlace(directory, now);
}

/** Renames a state folder that must not be obeyed; nothing in it is lost. */
export function putStateAside(directory: string): string {
  const away = `${directory}.aside-${new Date().toISOString().replaceAll(/[:.]/gu, "-")}`;
  renameSync(directory, away);
  return away;
}

/** Declares a copied or restored folder to be the one to continue. Only a person may decide that. */
export function adoptState(directory: string): void {
  const check = checkState(directory);
  if (check.kind === "foreign") throw refuseState(directory, check);
  const place = readPlace(directory);
  if (check.kind === "copy" || check.kind === "unplaced")
    writePlace(directory, { ...describePlace(directory), trees: place?.trees });
}

function refuseState(
  directory: string,
  check: Extract<StateCheck, { kind: "copy" | "foreign" | "unplaced" }>,
): Error {
  if (check.kind === "unplaced") return projectErrors.stateUnplaced(directory);
  return check.kind === "copy"
    ? projectErrors.stateCopied(directory, check.of)
    : projectErrors.stateNotOurs(directory, check.reason);
}

/** A folder without its place file was left by a start that was interrupted; but never together with a journal. */
function checkWithoutPlace(directory: string): StateCheck {
  return pathExists(join(directory, "ambit.db")) ? { kind: "unplaced" } : { kind: "absent" };
}

function isAlive(path: string, id: string): boolean {
  const place = readPlace(path);
  return place?.id === id && isSameFolder(path, place);
}

/**
 * Returns a function that writes the note of a folder's place again when it was deleted. Only the owner of the project calls
 * it. A folder that was replaced by another one gets no note.
 */
export function guardPlace(directory: string): () => void {
  let known = readPlace(directory);
  return () => {
    const noted = readPlace(directory);
    known = noted ?? known;
    if (noted !== undefined || known === undefined) return;
    try {
      if (isSameFolder(directory, known)) writePlace(directory, known);
    } catch {
      // The folder is gone, or the disk is full: the next call tries again.
    }
  };
}

/** A link would lead our writes out of the folder; a file of another user is not ours to trust. */
function findForeignEntry(directory: string): string | undefined {
  for (const name of readdirSync(directory)) {
    const stats = lstatSync(join(directory, name), { throwIfNoEntry: false });
    if (stats === undefined) continue;
    const trouble = stats.isSymbolicLink() ? "a link" : describeOwner(stats);
    if (trouble !== undefined) return `${JSON.stringify(name)} in it is ${trouble}`;
  }
  return undefined;
}

function describeOwner({ uid }: Stats): string | undefined {
  const own = process.geteuid?.();
  return own === undefined || uid === own ? undefined : `owned by user ${uid}, and you are user ${own}`;
}

function closeToOthers(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  // Sockets close themselves when they are made.
  if (stats === undefined || !(stats.isFile() || stats.isDirectory())) return;
  if (stats.mode % 0o100 !== 0) chmodSync(path, stats.isDirectory() ? 0o700 : 0o600);
}

/** One level at a time: for several levels, Node reports a read-only file system as a missing folder. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!hasErrorCode(error, "EEXIST")) throw error;
    closeToOthers(path);
  }
}
