import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  statSync,
  type Dirent,
} from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { hasErrorCode } from "../../base/files.ts";
import { formatBytePath } from "./format-byte-path.ts";

/** A folder to search, and the same folder as git sees it: they differ if only a layer has to be searched. */
export interface SearchedFolder {
  readonly searched: string;
  readonly seenAt: string;
}

/** Searches the whole tree itself. */
export function searchWhole(tree: string): readonly SearchedFolder[] {
  return [{ searched: tree, seenAt: tree }];
}

/** A file that was moved out of git's way. */
export interface PutAside {
  /** The path relative to the work tree. */
  readonly path: string;
  readonly kind: string;
}

/** Git opens these names by itself, at every level, before it checks their kind. */
const OPENED_NAMES: ReadonlySet<string> = new Set([".gitattributes", ".gitignore", ".gitmodules"]);
const GIT_FOLDER = ".git";
const ASIDE_FOLDER = ".ambit-aside";
/** The places where the kernel makes files up, some of which never end. Shared memory holds files like any other. */
const KERNEL_PATH = /^\/(?:dev\/(?!shm\/)|proc\/|sys\/)/;
/** Enough for any project. A tree with more was made to keep us searching, and git has a time limit of its own. */
export const ASIDE_PATTERN = `/${ASIDE_FOLDER}/`;
const MAX_FOLDERS = 200_000;
const FOLDERS_PER_TURN = 100;
const MAX_REPORTED = 100;

/**
 * Moves all entries out of the way at which git would wait forever: pipes, sockets, devices and links to those or in a
 * circle, under names that git opens by itself. They are kept in `.ambit-aside` of the work tree.
 */
export async function putAsideBlockers(
  workTree: string,
  folders: readonly SearchedFolder[],
): Promise<readonly PutAside[]> {
  const search: Search = { workTree, waiting: [], found: [], seen: 0 };
  for (const { searched, seenAt } of folders)
    search.waiting.push({ searched: Buffer.from(searched), seenAt: Buffer.from(seenAt), isGit: false });
  while (search.waiting.length > 0 && search.seen < MAX_FOLDERS) {
    const next = search.waiting.pop();
    if (next !== undefined) searchFolder(search, next);
    search.seen += 1;
    if (search.seen % FOLDERS_PER_TURN === 0) await nextTurn();
  }
  return search.found.slice(0, MAX_REPORTED);
}

interface Visit {
  readonly searched: Buffer;
  readonly seenAt: Buffer;
  /** The folder is below a `.git`, where git opens every name. */
  readonly isGit: boolean;
}

interface Search {
  readonly workTree: string;
  readonly waiting: Visit[];
  readonly found: PutAside[];
  seen: number;
}

function searchFolder(search: Search, { searched, seenAt, isGit }: Visit): void {
  for (const entry of listFolder(searched)) {
    const name = entry.name.toString("latin1");
    const at = joinBytes(seenAt, entry.name);
    const isOpened = isGit || name === GIT_FOLDER || OPENED_NAMES.has(name);
    const kind = isOpened && !entry.isFile() ? findBlocker(at) : undefined;
    if (kind !== undefined) moveAside(search, at, kind);
    else if (entry.isDirectory())
      search.waiting.push({
        searched: joinBytes(searched, entry.name),
        seenAt: at,
        isGit: isGit || name === GIT_FOLDER,
      });
  }
}

function listFolder(folder: Buffer): readonly Dirent<Buffer>[] {
  try {
    return readdirSync(folder, { withFileTypes: true, encoding: "buffer" });
  } catch {
    // The folder is gone, not readable or too deep; git cannot look into it either.
    return [];
  }
}

/** The kind of an entry at which git would wait; undefined for files, folders, and entries that git does not see. */
function findBlocker(path: Buffer): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.isFile() || stats.isDirectory()) return undefined;
  if (!stats.isSymbolicLink()) return nameKind(stats);
  try {
    const target = statSync(path, { throwIfNoEntry: false });
    if (target === undefined || target.isDirectory()) return undefined;
    if (!target.isFile()) return `link to a ${nameKind(target)}`;
    return KERNEL_PATH.test(realpathSync(path)) ? "link to a file of the kernel" : undefined;
  } catch (error) {
    return hasErrorCode(error, "ELOOP") ? "link in a circle" : undefined;
  }
}

function nameKind(stats: Pick<Dirent, "isFIFO" | "isSocket">): string {
  if (stats.isFIFO()) return "named pipe";
  return stats.isSocket() ? "socket" : "device";
}

function moveAside({ workTree, found }: Search, at: Buffer, kind: string): void {
  const inside = at.subarray(Buffer.byteLength(workTree) + 1);
  const name = `${found.length + 1}-${kind.replaceAll(" ", "-")}`;
  // A worker may have removed the permissions of its own folders.
  chmodSync(at.subarray(0, at.lastIndexOf("/")), 0o700);
  renameSync(at, `${makeAsideFolder(workTree)}/${name}-${process.pid}-${Date.now()}`);
  found.push({ path: formatBytePath(inside), kind });
}

/** A worker may have put another entry under that name. */
function makeAsideFolder(workTree: string): string {
  const folder = `${workTree}/${ASIDE_FOLDER}`;
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return folder;
  try {
    mkdirSync(folder, { mode: 0o700 });
    return folder;
  } catch (error) {
    if (!hasErrorCode(error, "EEXIST")) throw error;
    renameSync(folder, `${folder}-${process.pid}-${Date.now()}`);
    mkdirSync(folder, { mode: 0o700 });
    return folder;
  }
}

function joinBytes(folder: Buffer, name: Buffer): Buffer {
  return Buffer.concat([folder, Buffer.from("/"), name]);
}
