import { accessSync, constants } from "node:fs";
import { DelegationError, readErrorMessage } from "./delegation-error.ts";
import { findExistingFolder, hasErrorCode } from "./files.ts";

type Trouble = "damaged" | "full" | "read-only" | "not-allowed";

const byErrno: ReadonlyMap<string, Trouble> = new Map([
  ["ENOSPC", "full"],
  ["EDQUOT", "full"],
  ["EROFS", "read-only"],
  ["EACCES", "not-allowed"],
  ["EPERM", "not-allowed"],
]);
/** The primary result codes of SQLite. */
const bySqlite: ReadonlyMap<number, Trouble> = new Map([
  [13, "full"],
  [11, "damaged"],
  [26, "damaged"],
  [8, "read-only"],
]);
/** Messages of git in the C locale, and of SQLite where only the message is left. */
const fullTexts: readonly string[] = [
  "No space left on device",
  "Disk quota exceeded",
  "database or disk is full",
  "Out of diskspace",
  // Git prints only this for a write that failed during a checkout.
  "error: unable to write file",
];
/** What SQLite says of a store from which another program has removed a table. */
const TABLE_GONE = "no such table: ";
const MAX_CAUSES = 5;

/**
 * Explains an error of the file system at or below `folder` so that people can act on it; undefined for any other
 * error. An error that already has advice is replaced only where the disk is full, at any depth of its causes.
 */
export function explainFileTrouble(error: unknown, folder: string): DelegationError | undefined {
  if (!(error instanceof Error)) return undefined;
  if (isDiskFull(error)) return hasErrorCode(error, "DISK_FULL") ? undefined : diskFull(error, folder);
  const trouble = isExplained(error) ? undefined : classifyTrouble(error);
  if (trouble === "damaged") return storeDamaged(error, folder);
  if (trouble === "read-only") return readOnly(error, { place: folder, code: "STORE_UNUSABLE" });
  return trouble === "not-allowed" && pathIn(error)?.startsWith(folder) === true
    ? notAllowed(error, { place: folder, code: "STORE_UNUSABLE" })
    : undefined;
}

/**
 * Explains an error of the file system wherever it happened. Every surface asks this before it calls an
 * unexpected error a defect.
 */
export function explainUnexpectedFileTrouble(error: unknown): DelegationError | undefined {
  if (!(error instanceof Error)) return undefined;
  const path = pathIn(error);
  if (isDiskFull(error)) return hasErrorCode(error, "DISK_FULL") ? undefined : diskFull(error, path);
  const trouble = isExplained(error) ? undefined : classifyTrouble(error);
  if (trouble === "damaged") return storeDamaged(error, "of this project");
  if (trouble === undefined || path === undefined) return undefined;
  const explain = trouble === "read-only" ? readOnly : notAllowed;
  return explain(error, { place: path, code: "FILE_NOT_ALLOWED" });
}

export function isDiskFull(error: unknown): boolean {
  return someCause(error, (cause) => hasErrorCode(cause, "DISK_FULL") || classifyTrouble(cause) === "full");
}

/** Whether an error says that nothing can be written for now: the disk is full, or its file system is read-only. */
export function isWriteTrouble(error: unknown): boolean {
  return isDiskFull(error) || someCause(error, (cause) => classifyTrouble(cause) === "read-only");
}

function someCause(error: unknown, matches: (cause: Error) => boolean): boolean {
  let at: unknown = error;
  for (let depth = 0; depth < MAX_CAUSES && at instanceof Error; depth += 1) {
    if (matches(at)) return true;
    at = at.cause;
  }
  return false;
}

function classifyTrouble(error: Error): Trouble | undefined {
  const errno = "code" in error && typeof error.code === "string" ? byErrno.get(error.code) : undefined;
  const sqlite =
    "errcode" in error && typeof error.errcode === "number" ? bySqlite.get(error.errcode % 256) : undefined;
  if (errno !== undefined || sqlite !== undefined) return errno ?? sqlite;
  if (fullTexts.some((text) => error.message.includes(text))) return "full";
  if (isMkdirOnReadOnly(error)) return "read-only";
  return error.message.startsWith(TABLE_GONE) ? "damaged" : undefined;
}

/** Node reports ENOENT if it creates a folder with those above it on a read-only file system. */
function isMkdirOnReadOnly(error: Error): boolean {
  const isMkdir = hasErrorCode(error, "ENOENT") && "syscall" in error && error.syscall === "mkdir";
  const folder = isMkdir ? pathIn(error) : undefined;
  if (folder === undefined) return false;
  try {
    accessSync(findExistingFolder(folder), constants.W_OK);
    return false;
  } catch (reason) {
    return hasErrorCode(reason, "EROFS");
  }
}

/** Recognised by its name, because a bundle may hold the class more than once. */
function isExplained(error: Error): boolean {
  return error.name === "DelegationError";
}

function pathIn(error: Error): string | undefined {
  return "path" in error && typeof error.path === "string" ? error.path : undefined;
}

function diskFull(cause: Error, folder: string | undefined): DelegationError {
  const place = pathIn(cause) ?? folder;
  return new DelegationError({
    code: "DISK_FULL",
    message: `${place === undefined ? "A disk" : `The disk of ${place}`} is full: ${readErrorMessage(cause)}`,
    recommendation:
      "Free some space, then run the command again; ambit doctor --fix closes what was left open.",
    recoverable: true,
    cause,
  });
}

function storeDamaged(cause: Error, store: string): DelegationError {
  return new DelegationError({
    code: "STORE_DAMAGED",
    message: `The store ${store} is damaged: ${readErrorMessage(cause)}`,
    recommendation:
      "Repair it: ambit doctor --repair keeps the damaged file and restores what can be read. Finished work is on its branches in git.",
    cause,
  });
}

/** Whether an error says that a database file is damaged, or is none. */
export function isStoreDamaged(error: unknown): boolean {
  return (
    error instanceof Error && (hasErrorCode(error, "STORE_DAMAGED") || classifyTrouble(error) === "damaged")
  );
}

interface Refused {
  readonly place: string;
  readonly code: "FILE_NOT_ALLOWED" | "STORE_UNUSABLE";
}

function readOnly(cause: Error, { place, code }: Refused): DelegationError {
  return new DelegationError({
    code,
    message: `${pathIn(cause) ?? place} is on a read-only file system: ${readErrorMessage(cause)}`,
    recommendation:
      "Make it writable, then run the command again; commands that only read work without that.",
    cause,
  });
}

function notAllowed(cause: Error, { place, code }: Refused): DelegationError {
  return new DelegationError({
    code,
    message: `${pathIn(cause) ?? place} cannot be used: ${readErrorMessage(cause)}`,
    recommendation: "Correct its owner or its mode, then run the command again.",
    cause,
  });
}
