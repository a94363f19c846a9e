import { randomBytes } from "node:crypto";
import {
  rmSync,
  writeFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
} from "node:fs";
import { join } from "node:path";
import { execFileSync } from "node:child_process";
import { explainFileTrouble } from "../../base/file-trouble.ts";
import { randomBase36 } from "../../base/ids.ts";
import { getStateDirectory, openOwnState } from "../../project/state-directory.ts";
import { tryExclusiveLock } from "../../base/exclusive-lock.ts";
import { supervisorErrors } from "../../errors/supervisor.ts";
import { findCommonDirectory } from "../../project/find-project.ts";
import { noteTrees } from "../../project/trees-directory.ts";

/** About as many bytes as a supervisor writes before it listens. */
const PROBE_BYTES = 64 * 1024;

/** These hold workspaces whose paths are noted in many places; they stay where they are until they are empty. */
const treeFolders: ReadonlySet<string> = new Set([
  "workspaces",
  "workspace-records",
  "trash",
  "templates",
  "sandboxes",
  "staging",
]);

/** Makes the state folder, if it is ours, and proves that it is writable, so that a full disk is reported first. */
export function prepareState(projectRoot: string): void {
  const stateDirectory = getStateDirectory(projectRoot);
  const probe = join(stateDirectory, `.probe-${process.pid}-${randomBase36(8)}`);
  try {
    migrateOldState(projectRoot, stateDirectory);
    openOwnState(projectRoot);
    writeFileSync(probe, randomBytes(PROBE_BYTES), { mode: 0o600, flag: "wx" });
  } catch (error) {
    throw explainFileTrouble(error, projectRoot) ?? error;
  } finally {
    rmSync(probe, { force: true });
  }
}

/**
 * Takes over `.ambit/state`, where Ambit kept its state before it moved into the git folder. A clone can bring such a
 * folder, so it is taken only if this repository shows that Ambit worked here and git does not track a file of it.
 */
function migrateOldState(projectRoot: string, stateDirectory: string): void {
  const old = join(projectRoot, ".ambit", "state");
  if (existsSync(stateDirectory) || !isOwnFolder(join(projectRoot, ".ambit")) || !isOwnFolder(old)) return;
  if (!hasOwnRefs(projectRoot) || holdsLinks(old) || isTracked(projectRoot)) return;
  const lock = tryExclusiveLock(join(old, "supervisor.lock"));
  if (lock === undefined) throw supervisorErrors.alreadyOwned("a supervisor of an older version");
  try {
    mkdirSync(stateDirectory, { mode: 0o700 });
    for (const name of readdirSync(old))
      if (!treeFolders.has(name)) renameSync(join(old, name), join(stateDirectory, name));
    noteTrees(stateDirectory, old);
  } finally {
    lock.release();
  }
}

function isOwnFolder(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isDirectory() === true && stats.uid === process.geteuid?.();
}

/** `git clone` does not bring refs below `refs/ambit`; only Ambit makes them. */
function hasOwnRefs(projectRoot: string): boolean {
  const common = findCommonDirectory(projectRoot);
  if (common === undefined) return false;
  const packed = join(common, "packed-refs");
  const isPacked = existsSync(packed) && readFileSync(packed, "utf8").includes(" refs/ambit/");
  return isPacked || existsSync(join(common, "refs", "ambit"));
}

function holdsLinks(folder: string): boolean {
  return readdirSync(folder, { withFileTypes: true }).some((entry) => entry.isSymbolicLink());
}

function isTracked(projectRoot: string): boolean {
  const settings = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];
  const files = execFileSync("git", [...settings, "ls-files", "--", ".ambit/state"], {
    cwd: projectRoot,
    env: { PATH: process.env["PATH"], GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  return files.length > 0;
}
