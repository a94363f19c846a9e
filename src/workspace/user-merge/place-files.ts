import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { hasErrorCode } from "../../base/files.ts";
import { randomBase36 } from "../../base/ids.ts";
import { joinBytePath, listFoldersAbove } from "../files/byte-path.ts";
import type { PrivateGit } from "../git/private-directory.ts";
import type { AttributesFile } from "../merge/attributes.ts";
import { checkOutAll, makeMiniIndex } from "./mini-index.ts";
import {
  type TreeChange,
  listAbsentOn,
  listEntriesOn,
  listFilesOn,
  GITLINK,
  readPathStat,
} from "./touched.ts";

/**
 * Writes the new files into a separate folder, with line endings and encodings as the project and the user want them.
 */
export async function stageMergedFiles(
  git: PrivateGit,
  touched: readonly TreeChange[],
  attributes: readonly AttributesFile[],
): Promise<string> {
  const stage = join(git.directory, "stage");
  mkdirSync(stage);
  for (const { path, content } of attributes) {
    mkdirSync(parentBytePath(stage, path), { recursive: true });
    writeFileSync(joinBytePath(stage, path), content);
  }
  await checkOutAll(await makeMiniIndex(git, "index-stage", listFilesOn(touched, "to")), stage);
  return stage;
}

const usualPermissions: ReadonlySet<number> = new Set([0o644, 0o755]);

/** Reads the unusual permissions of files that a move removes or replaces by something else. */
export function readPermissions(
  root: string,
  touched: readonly TreeChange[],
): Readonly<Record<string, number>> {
  const leaving = touched.filter(({ newMode }) => !newMode.startsWith("100"));
  const found = leaving.flatMap(({ path }) => {
    const stats = readPathStat(root, path);
    const permissions = (stats?.mode ?? 0) & 0o777;
    const isUnusual = stats?.isFile() === true && !usualPermissions.has(permissions);
    return isUnusual ? [[path, permissions] as const] : [];
  });
  return Object.fromEntries(found);
}

/** Gives staged files the permissions that they had before. */
export function applyPermissions(stage: string, permissions: Readonly<Record<string, number>>): void {
  for (const [path, mode] of Object.entries(permissions))
    if (readPathStat(stage, path)?.isFile() === true) chmodSync(joinBytePath(stage, path), mode);
}

/**
 * Changes the touched paths of a work tree, each in one step: if we are killed, every path holds its old or its new
 * content. Can be repeated with the same outcome.
 */
export function placeFiles(root: string, stage: string, touched: readonly TreeChange[]): void {
  const entries = listEntriesOn(touched, "to");
  const needed = new Set(entries.flatMap(({ path }) => listFoldersAbove(path)));
  for (const path of listAbsentOn(touched, "to")) removePath(root, path, needed);
  for (const { path, mode } of entries) {
    if (mode === GITLINK) mkdirSync(joinBytePath(root, path), { recursive: true });
    else putStagedFile(root, stage, path);
  }
}

function putStagedFile(root: string, stage: string, path: string): void {
  // These folders were left empty in the file's place.
  if (readPathStat(root, path)?.isDirectory() === true) removeEmptyFolders(root, path);
  mkdirSync(parentBytePath(root, path), { recursive: true });
  keepPermissions(root, stage, path);
  moveIntoPlace(joinBytePath(stage, path), joinBytePath(root, path));
}

/** Git knows only whether a file is executable; who else may read or write it is up to the user. */
function keepPermissions(root: string, stage: string, path: string): void {
  const [old, made] = [readPathStat(root, path), readPathStat(stage, path)];
  if (old?.isFile() !== true || made?.isFile() !== true) return;
  const permissions = old.mode & 0o777;
  const wasExecutable = (permissions & 0o100) !== 0;
  const isExecutable = (made.mode & 0o100) !== 0;
  const readers = (permissions & 0o444) >> 2;
  const changed = isExecutable ? permissions | readers : permissions & ~0o111;
  chmodSync(joinBytePath(stage, path), wasExecutable === isExecutable ? permissions : changed);
}

/** A folder that new files go into stays, with the permissions that the user gave it. */
function removePath(root: string, path: string, needed: ReadonlySet<string>): void {
  const stats = readPathStat(root, path);
  if (stats !== undefined && !stats.isDirectory()) unlinkSync(joinBytePath(root, path));
  for (const folder of [...listFoldersAbove(path), path].toReversed())
    if (needed.has(folder) || !removeIfEmpty(root, folder)) return;
}

/** True if the next folder above may now be empty too. */
function removeIfEmpty(root: string, folder: string): boolean {
  if (readPathStat(root, folder)?.isDirectory() !== true) return true;
  try {
    rmdirSync(joinBytePath(root, folder));
    return true;
  } catch {
    // The folder is not empty, or we may not remove it.
    return false;
  }
}

function removeEmptyFolders(root: string, folder: string): void {
  for (const entry of listSubfolders(root, folder)) removeEmptyFolders(root, `${folder}/${entry}`);
  rmdirSync(joinBytePath(root, folder));
}

function listSubfolders(root: string, folder: string): readonly string[] {
  const entries = readdirSync(joinBytePath(root, folder), { withFileTypes: true, encoding: "buffer" });
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name.toString("latin1"));
}

/** A rename is atomic; across file systems the copy is first made next to its place. */
function moveIntoPlace(from: Buffer, to: Buffer): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!hasErrorCode(error, "EXDEV")) throw error;
    const beside = Buffer.concat([to, Buffer.from(`.ambit-${randomBase36(8)}`)]);
    if (lstatSync(from).isSymbolicLink()) symlinkSync(readlinkSync(from, { encoding: "buffer" }), beside);
    else copyFileSync(from, beside);
    renameSync(beside, to);
  }
}

function parentBytePath(root: string, path: string): Buffer {
  const folder = dirname(path);
  return folder === "." ? Buffer.from(root) : joinBytePath(root, folder);
}
