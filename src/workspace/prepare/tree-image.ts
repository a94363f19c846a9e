import { lstatSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isInside, pathExists, readFileRange } from "../../base/files.ts";
import { chooseScratchFolder } from "../files/scratch-folder.ts";
import { isPlainFile } from "../files/plain-file.ts";
import { withPrivateGit } from "../git/private-directory.ts";
import { readBlobs } from "../git/read-blobs.ts";
import type { ProjectContext, Repository } from "../git/repository.ts";
import { runGit } from "../git/run-git.ts";
import { readSettings } from "../git/settings.ts";
import {
  countIndexEntries,
  INDEX_HEADER_BYTES,
  type IndexEntry,
  readIndexEntries,
  sealIndex,
} from "../image/index-entries.ts";
import { FILES_FOLDER, writeImage } from "../image/write-image.ts";
import { mountImage, unmountBelow } from "./overlay.ts";

/** A checkout of fewer files takes no longer than an image of them, and other tools can look at it. */
const MIN_FILES = 10_000;
const IMAGE = "image";
const MOUNTED = "mounted";
/** Git counts whole seconds: an index must be newer than the files it lists, or git reads each file again. */
const AGE_SECONDS = 2;
/** With one of these words, git changes the bytes of a file when it checks it out. */
const CONVERSIONS: readonly string[] = ["crlf", "ident", "working-tree-encoding"];

/** The image of a shared tree, in the folder of its template. */
export function treeImagePath(folder: string): string {
  return join(folder, IMAGE);
}

/** Where the files of a shared tree are: in a folder, or in an image, which has to be mounted. */
export function treeFilesPath(folder: string): string {
  return pathExists(treeImagePath(folder)) ? join(folder, MOUNTED, FILES_FOLDER) : join(folder, "tree");
}

/** Whether these files are, or were, in an image. */
export function isInImage(lower: string): boolean {
  return basename(lower) === FILES_FOLDER && basename(dirname(lower)) === MOUNTED;
}

/** The folder of the template whose files are at this path. */
export function findTemplateFolder(lower: string): string {
  return isInImage(lower) ? dirname(dirname(lower)) : dirname(lower);
}

/**
 * Writes a commit's files as one image with an index, because creating very many files takes far longer than writing their
 * bytes. False if a checkout is better, or if git would not check out the bytes of its objects.
 */
export async function writeTreeImage(
  context: ProjectContext,
  commit: string,
  folder: string,
): Promise<boolean> {
  const { repository } = context;
  if (!isLargeRepository(repository) || !(await canMountImage(context))) return false;
  const index = await readCommitIndex(context, commit, join(folder, "index"));
  const idBytes = repository.objectFormat === "sha256" ? 32 : 20;
  const entries = readIndexEntries(index, idBytes);
  if (entries === undefined || !(await areBytesKept(repository, entries))) return false;
  const image = treeImagePath(folder);
  const seconds = Math.floor(Date.now() / 1000) - AGE_SECONDS;
  if (!(await writeImage({ repository, image, entries, index, seconds }))) {
    rmSync(image, { force: true });
    return false;
  }
  sealIndex(index, idBytes);
  writeFileSync(join(folder, "index"), index);
  return true;
}

/** Whether checkouts take long. The size of the user's own index says it, without reading all of it. */
export function isLargeRepository({ gitDirectory }: Repository): boolean {
  const start = readFileRange(join(gitDirectory, "index"), () => ({ start: 0, end: INDEX_HEADER_BYTES }));
  return start !== undefined && (countIndexEntries(start.bytes) ?? 0) >= MIN_FILES;
}

async function readCommitIndex(context: ProjectContext, commit: string, indexFile: string): Promise<Buffer> {
  await withPrivateGit({ ...context, workTree: dirname(indexFile), head: commit }, ({ place }) =>
    runGit({ place: { ...place, indexFile }, arguments: ["read-tree", commit] }),
  );
  return readFileSync(indexFile);
}

/** Whether git would write exactly the bytes of its objects. */
async function areBytesKept(repository: Repository, entries: readonly IndexEntry[]): Promise<boolean> {
  const settings = new Map((await readSettings(repository)).passed);
  if (settings.get("core.autocrlf") === "true" || settings.get("core.eol") === "crlf") return false;
  if (settings.get("core.symlinks") === "false") return false;
  const files = [
    join(repository.commonDirectory, "info", "attributes"),
    settings.get("core.attributesFile") ?? "",
  ];
  const ids = entries.filter(({ path }) => isAttributesFile(path)).map(({ id }) => id);
  const rules = [
    ...files.filter(isPlainFile).map((file) => readFileSync(file, "latin1")),
    ...(await readBlobs(repository, ids)).map((blob) => blob?.toString("latin1") ?? ""),
  ];
  return !rules.some((text) => CONVERSIONS.some((word) => text.includes(word)));
}

function isAttributesFile(path: string): boolean {
  return path === ".gitattributes" || path.endsWith("/.gitattributes");
}

/** The answers, per file system. */
const canMount = new Map<number, Promise<boolean>>();

function canMountImage(context: ProjectContext): Promise<boolean> {
  const { dev } = statSync(context.stateDirectory);
  const answer = canMount.get(dev) ?? tryEmptyImage(context);
  canMount.set(dev, answer);
  return answer;
}

async function tryEmptyImage({ repository, stateDirectory }: ProjectContext): Promise<boolean> {
  const folder = chooseScratchFolder(stateDirectory);
  const { searchPath } = repository.host;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const image = treeImagePath(folder);
    await writeImage({ repository, image, entries: [], index: Buffer.alloc(0), seconds: 0 });
    await mountImage(searchPath, image, join(folder, MOUNTED));
    return true;
  } catch {
    // The kernel does not know the format, or may not read it from a file.
    return false;
  } finally {
    await unmountBelow(searchPath, folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The devices of the images that this process has mounted, by the folder of their template. Another mount at the same
 * place could show anything.
 */
const mounted = new Map<string, Promise<number>>();

/** Mounts the image that has these files, unless that is done. Files without an image are there as they are. */
export async function showTreeFiles(searchPath: string, lower: string): Promise<void> {
  if (!isInImage(lower) || (await isTreeShown(lower))) return;
  const folder = findTemplateFolder(lower);
  const device = mountTreeImage(searchPath, folder);
  mounted.set(folder, device);
  await device;
}

async function mountTreeImage(searchPath: string, folder: string): Promise<number> {
  const target = join(folder, MOUNTED);
  await unmountBelow(searchPath, target);
  await mountImage(searchPath, treeImagePath(folder), target);
  return statSync(target).dev;
}

/** Whether the files can be seen, and an image of them was mounted by this process. */
export async function isTreeShown(lower: string): Promise<boolean> {
  if (!isInImage(lower)) return pathExists(lower);
  const device = await mounted.get(findTemplateFolder(lower))?.catch(() => undefined);
  return device !== undefined && statSync(lower, { throwIfNoEntry: false })?.dev === device;
}

/** Unmounts the images below a folder. Layers that are mounted above them keep their files. */
export async function hideTreeImages(searchPath: string, folder: string): Promise<void> {
  for (const name of mounted.keys()) if (isInside(name, folder)) mounted.delete(name);
  await unmountBelow(searchPath, folder);
}

/** The inode and times of an image and its index, which no program can set. */
export function fingerprintImage(folder: string): string | undefined {
  const files = [treeImagePath(folder), join(folder, "index")].map((path) =>
    lstatSync(path, { bigint: true, throwIfNoEntry: false }),
  );
  if (files.some((stats) => stats?.isFile() !== true)) return undefined;
  return files
    .map((stats) => [stats?.ino, stats?.mode, stats?.size, stats?.mtimeNs, stats?.ctimeNs].join(" "))
    .join("\n");
}
