import { appendFileSync, lstatSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readRegularFile } from "../../base/files.ts";
import { randomBase36 } from "../../base/ids.ts";
import { getTaskAbort } from "../../base/task-abort.ts";
import type { ContainedProcess, ContainmentLimits, ExitFacts } from "../../containment/contained-process.ts";
import { launchProcess } from "../../containment/launch.ts";
import { probeContainment } from "../../containment/probe-containment.ts";
import type { SandboxReport } from "../../containment/probe-sandbox.ts";
import { buildSandboxCommand, chooseLaunchTier } from "../../containment/sandbox-command.ts";
import { workspaceErrors } from "../../errors/workspace.ts";
import { copyIndexWithTime } from "../git/copy-index.ts";
import { ASIDE_PATTERN } from "../git/put-aside.ts";
import type { Repository } from "../git/repository.ts";
import { readSettings } from "../git/settings.ts";
import type { SandboxPlaces } from "../prepare/run-set-up.ts";
import type { SandboxFolders } from "./folders.ts";
import { writeGitDirectory } from "./git-directory.ts";
import { HAND_OVER_SCRIPT } from "./hand-over-script.ts";

/** A packing process that shows no activity for this long hangs. */
const MAX_STALL_MS = 60_000;
const SEARCH_PATH = "/usr/local/bin:/usr/bin:/bin";

export interface PackedClone extends SandboxPlaces {
  readonly id: string;
  readonly base: string;
  readonly path: string;
  readonly folders: SandboxFolders;
}

export interface PackingRequest {
  readonly repository: Repository;
  readonly clone: PackedClone;
  readonly sandbox: SandboxReport;
  /** Subject and body of the commit for the worker's uncommitted changes. */
  readonly message: string;
  /** The folder where the pack is left. */
  readonly folder: string;
  readonly timeoutMs: number;
  /** Whether the clone must stay as it is, because its worker is still at work. */
  readonly isReadOnly: boolean;
}

/**
 * Commits and packs the files of a clone in a sandbox like its worker's. The folder is created again, and writable only
 * for this step, so the worker never had access to it.
 */
export async function packInSandbox(request: PackingRequest): Promise<void> {
  const { clone, sandbox, folder, isReadOnly } = request;
  const logs = `${folder}-logs`;
  if (lstatSync(clone.path, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw workspaceErrors.cloneGone(clone.path);
  const gitDirectory = await prepareHandOver(request);
  const command = buildSandboxCommand({
    ...sandbox,
    argv: ["/bin/sh", "-c", HAND_OVER_SCRIPT, "hand-over", clone.path, gitDirectory, clone.base, clone.id],
    cwd: clone.path,
    writable: isReadOnly ? [folder] : [clone.path, folder],
    readOnly: isReadOnly ? [...clone.readOnly, clone.path] : clone.readOnly,
    home: clone.home,
    temporary: clone.temporary,
    environment: { PATH: SEARCH_PATH, ...(await author(request.repository)) },
  });
  const containment = await probeContainment();
  const contained = await launchProcess(
    {
      ...command,
      cwd: clone.path,
      logDirectory: logs,
      runId: `hand-over-${randomBase36(16)}`,
      limits: buildPackLimits(request.timeoutMs),
      tier: chooseLaunchTier(containment),
      onEvent: () => undefined,
    },
    { containment },
  );
  const facts = await waitOrStop(contained);
  if (facts.code === 0) return;
  throw workspaceErrors.workNotPacked(clone.path, facts.problem ?? describePackEnd(facts), logs);
}

/** A stop of the import ends the packing at once: a partial pack is worth nothing. */
async function waitOrStop(contained: ContainedProcess): Promise<ExitFacts> {
  const abort = getTaskAbort();
  const stop = (): void => void contained.stop("the import was stopped", { graceMs: 0 });
  abort?.addEventListener("abort", stop, { once: true });
  try {
    if (abort?.aborted === true) stop();
    return await contained.exited;
  } finally {
    abort?.removeEventListener("abort", stop);
  }
}

async function prepareHandOver({ repository, clone, message, folder }: PackingRequest): Promise<string> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  const path = join(folder, "git");
  const objects = [...clone.readOnly, join(clone.path, ".git", "objects")];
  await writeGitDirectory({ repository, path, objects, head: clone.base });
  // These files were brought for the worker and are not its work, even if it removed them from `.gitignore`.
  appendFileSync(join(path, "info/exclude"), readRegularFile(clone.folders.ignores) ?? "");
  appendFileSync(join(path, "info/exclude"), `${ASIDE_PATTERN}\n`);
  copyIndexWithTime(clone.folders.index, join(path, "index"));
  writeFileSync(join(path, "message"), message);
  return path;
}

async function author(repository: Repository): Promise<Readonly<Record<string, string>>> {
  const { userName, userEmail } = await readSettings(repository);
  return {
    GIT_AUTHOR_NAME: userName || "ambit",
    GIT_AUTHOR_EMAIL: userEmail || "ambit@localhost",
    GIT_COMMITTER_NAME: "ambit",
    GIT_COMMITTER_EMAIL: "ambit@localhost",
  };
}

function buildPackLimits(timeoutMs: number): ContainmentLimits {
  return {
    timeoutMs,
    softLimit: 1,
    graceMs: 0,
    idleWarnMs: timeoutMs,
    idleStopMs: MAX_STALL_MS,
    idleEndsBy: "activity",
    outputMaxBytes: 16 * 1024 * 1024,
    memoryMaxBytes: null,
    maxProcesses: null,
    cpuMaxSeconds: null,
  };
}

function describePackEnd({ code, signal, reason }: ExitFacts): string {
  return reason === "exited" ? `exit code ${String(code ?? signal)}` : reason;
}
