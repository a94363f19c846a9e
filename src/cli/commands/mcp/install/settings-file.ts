import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { DelegationError, messageOf } from "../../../../base/delegation-error.ts";

const MAX_BYTES = 32 * 1024 * 1024;

/** The text of a settings file; undefined when there is none. Refuses what is no text file. */
export function readSettingsFile(file: string): string | undefined {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (!stat.isFile()) throw unusable(file, "it is no file");
  if (stat.size > MAX_BYTES) throw unusable(file, `it has ${stat.size} bytes`);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
  } catch (error) {
    throw unusable(file, error instanceof TypeError ? "it is no UTF-8 text" : messageOf(error));
  }
}

/** Replaces a file whole or not at all, where it really is; answers the folders that had to be made for it. */
export function writeSettingsFile(file: string, text: string, before: string | undefined): readonly string[] {
  try {
    const folders = makeFolders(dirname(file));
    const target = existsSync(file) ? realpathSync(file) : file;
    const beside = join(dirname(target), `.${basename(target)}.ambit-${process.pid}`);
    const mode = statSync(target, { throwIfNoEntry: false })?.mode;
    const descriptor = openSync(beside, "wx", 0o600);
    try {
      writeSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    try {
      chmodSync(beside, mode ?? 0o644);
      if (readSettingsFile(file) !== before)
        throw new TypeError("it was changed by another program meanwhile");
      renameSync(beside, target);
    } finally {
      rmSync(beside, { force: true });
    }
    return folders;
  } catch (error) {
    throw unwritable(file, error);
  }
}

/** Deletes a file and those folders that were made for it and are empty again. */
export function removeSettingsFile(file: string, folders: readonly string[]): void {
  rmSync(file, { force: true });
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder);
    } catch {
      // Somebody has put something there: then it is theirs.
      return;
    }
  }
}

function makeFolders(folder: string): readonly string[] {
  if (existsSync(folder)) return [];
  const above = makeFolders(dirname(folder));
  mkdirSync(folder);
  return [...above, folder];
}

function unusable(file: string, why: string): DelegationError {
  return new DelegationError({
    code: "INPUT_UNREADABLE",
    message: `${file} cannot be used: ${why}.`,
    recommendation: "Look at it first; nothing was changed.",
  });
}

function unwritable(file: string, cause: unknown): DelegationError {
  return new DelegationError({
    code: "OUTPUT_UNWRITABLE",
    message: `${file} was not written: ${messageOf(cause)}`,
    recommendation: "It is as it was. Check who owns it and its folder, then try again.",
    cause,
  });
}
