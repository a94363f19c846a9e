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
import { readErrorMessage } from "../../base/delegation-error.ts";
import { agentErrors } from "../../errors/agents.ts";

const MAX_BYTES = 32 * 1024 * 1024;

/** The text of a settings file; undefined if it does not exist. Refuses anything but a text file. */
export function readSettingsFile(file: string): string | undefined {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (!stat.isFile()) throw agentErrors.settingsUnreadable(file, "it is not a file");
  if (stat.size > MAX_BYTES) throw agentErrors.settingsUnreadable(file, `it has ${stat.size} bytes`);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
  } catch (error) {
    throw agentErrors.settingsUnreadable(
      file,
      error instanceof TypeError ? "it is not UTF-8 text" : readErrorMessage(error),
    );
  }
}

/** Replaces a file completely or not at all, following links. Returns the folders it had to create. */
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
        throw new TypeError("another program changed it at the same time");
      renameSync(beside, target);
    } finally {
      rmSync(beside, { force: true });
    }
    return folders;
  } catch (error) {
    throw agentErrors.settingsUnwritable(file, error);
  }
}

/** Deletes a file and the folders that were created for it, if they are empty. */
export function removeSettingsFile(file: string, folders: readonly string[]): void {
  rmSync(file, { force: true });
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder);
    } catch {
      // The folder holds other files now, so it stays.
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
