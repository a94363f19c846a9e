import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, isAbsolute, relative, sep } from "node:path";
import { randomBase36 } from "./ids.ts";

/** A file of ours, or of git's, that is larger than this has been tampered with. */
const MAX_READ_BYTES = 16 * 1024 * 1024;
const PERMISSION_BITS = 0o10000;

/** Whether an absolute path is the folder or anything below it. Links are not followed. */
export function isInside(path: string, folder: string): boolean {
  if (!isAbsolute(path)) return false;
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`);
}

/** The path itself, or the closest folder above it that exists. Links are followed. */
export function findExistingFolder(path: string): string {
  let at = path;
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at);
  return at;
}

/** True for anything at this path, a broken link included. Links are not followed. Below a file there is nothing. */
export function pathExists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if (hasErrorCode(error, "ENOTDIR")) return false;
    throw error;
  }
}

export function canWrite(folder: Buffer | string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    // Missing, closed to us, or on a disk that is read-only.
    return false;
  }
}

/**
 * Lets only its owner read a file, and creates it if asked to. Never opens a file that exists: closing any descriptor of
 * a file that SQLite has locked in this process would release the lock.
 */
export function makePrivateFile(path: string, { isCreated }: { readonly isCreated: boolean }): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() === true && (stat.mode & 0o077) !== 0) chmodSync(path, 0o600);
  if (stat !== undefined || !isCreated) return;
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    // Another process was faster.
    if (!hasErrorCode(error, "EEXIST")) throw error;
  }
}

/** The names in a folder; none if it cannot be listed. */
export function listFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // A folder that is missing or closed to us holds nothing for the caller.
    return [];
  }
}

/** The text of a file; empty if it cannot be read. */
export function readTextOrEmpty(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // Callers look for something in it, and do not need the file.
    return "";
  }
}

/** Where a path leads; the path itself if it leads nowhere. */
export function resolveLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // It does not exist, or links lead in a circle.
    return path;
  }
}

/** Whether a thrown value is a system error of the given kind, such as `EEXIST`. */
export function hasErrorCode(error: unknown, code: string): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === code;
}

/**
 * Opens a path for reading and throws where it is a link (`ELOOP`). Opening a pipe does not wait for its writer, so check
 * with `fstatSync` that the descriptor is a regular file before reading.
 */
export function openWithoutFollowing(path: string | Buffer): number {
  return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
}

/**
 * The bytes of a regular file; undefined where there is none, or a larger one. Workers can write to most folders we read
 * from: a link, a pipe or a folder they put in a file's place is not followed, waited for or read.
 */
export function readRegularFile(
  path: string | Buffer,
  maxBytes: number = MAX_READ_BYTES,
): Buffer | undefined {
  return withRegularFile(path, (descriptor, size) =>
    size <= maxBytes ? readFileSync(descriptor) : undefined,
  );
}

export function readRegularText(path: string | Buffer): string | undefined {
  return readRegularFile(path)?.toString("utf8");
}

export interface FileRange {
  readonly start: number;
  readonly bytes: Buffer;
  /** The size of the whole file. */
  readonly size: number;
}

/** A part of a regular file, chosen by its size; undefined if the path is not a regular file. */
export function readFileRange(
  path: string,
  chooseRange: (size: number) => { readonly start: number; readonly end: number },
): FileRange | undefined {
  return withRegularFile(path, (descriptor, size) => {
    const { start, end } = chooseRange(size);
    const bytes = Buffer.alloc(end - start);
    const read = readSync(descriptor, bytes, 0, bytes.length, start);
    return { start, bytes: bytes.subarray(0, read), size };
  });
}

/** The last bytes of a regular file; undefined if the path is not a regular file. */
export function readFileEnd(path: string, maxBytes: number): FileRange | undefined {
  return readFileRange(path, (size) => ({ start: Math.max(0, size - maxBytes), end: size }));
}

const PIECE_BYTES = 64 * 1024;

/**
 * Whether two regular files hold the same bytes. They are compared piece by piece: a large file read whole is garbage
 * that Node collects while others wait.
 */
export function hasSameContent(path: string, other: string): boolean {
  const compare = (one: number, size: number): boolean =>
    withRegularFile(other, (two, otherSize) => size === otherSize && haveSameBytes(one, two)) ?? false;
  return withRegularFile(path, compare) ?? false;
}

function haveSameBytes(one: number, two: number): boolean {
  const [piece, otherPiece] = [Buffer.allocUnsafe(PIECE_BYTES), Buffer.allocUnsafe(PIECE_BYTES)];
  for (;;) {
    const count = readSync(one, piece);
    if (count !== readSync(two, otherPiece) || piece.compare(otherPiece, 0, count, 0, count) !== 0)
      return false;
    if (count === 0) return true;
  }
}

export interface AtomicWriteOptions {
  /** The mode of a new file, before the umask; 0600 unless given. */
  readonly mode?: number;
  /** Replaces the target of a link instead of the link, and keeps the mode of the file that is replaced. */
  readonly isInPlace?: boolean;
  /** Returns only when content and name are on the disk. */
  readonly isDurable?: boolean;
}

/** Replaces a file whole: readers see the old content or the new, even when the writer is killed. A link is replaced. */
export function writeFileAtomically(
  path: string,
  content: string | Uint8Array,
  { mode = 0o600, isInPlace = false, isDurable = false }: AtomicWriteOptions = {},
): void {
  const replaced = isInPlace ? statSync(path, { throwIfNoEntry: false }) : undefined;
  const target = replaced === undefined ? path : realpathSync(path);
  const beside = `${target}.${randomBase36(8)}.new`;
  try {
    writeFileSync(beside, content, { mode, flag: "wx", flush: isDurable });
    if (replaced !== undefined) chmodSync(beside, replaced.mode % PERMISSION_BITS);
    renameSync(beside, target);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
  if (isDurable) syncFolder(dirname(target));
}

/** Waits until the names in a folder are on the disk, so that a rename or removal survives a power cut. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function withRegularFile<Result>(
  path: string | Buffer,
  read: (descriptor: number, size: number) => Result,
): Result | undefined {
  let descriptor: number;
  try {
    descriptor = openWithoutFollowing(path);
  } catch {
    // Missing, a link, or not readable: in each case there is nothing to read.
    return undefined;
  }
  try {
    const stats = fstatSync(descriptor);
    return stats.isFile() ? read(descriptor, stats.size) : undefined;
  } finally {
    closeSync(descriptor);
  }
}
