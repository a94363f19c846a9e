import { appendFileSync, lstatSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readRegularFile } from "../base/files.ts";
import { randomBase36 } from "../base/ids.ts";
import { getTaskAbort } from "../base/task-abort.ts";
import type { ContainedProcess, ContainmentLimits, ExitFacts } from "../containment/contained-process.ts";
import { launchProcess } from "../containment/launch.ts";
import { probeContainment } from "../containment/probe-containment.ts";
import type { SandboxReport } from "../containment/probe-sandbox.ts";
import { buildSandboxCommand, chooseLaunchTier } from "../containment/sandbox-command.ts";
import { workspaceErrors } from "../errors/workspace.ts";
import { listUnreachable } from "./capture/worker-commits.ts";
import { copyIndexWithTime } from "./git/copy-index.ts";
import { formatBytePath } from "./git/format-byte-path.ts";
import { ASIDE_PATTERN, putAsideBlockers, searchWhole, type PutAside } from "./git/put-aside.ts";
import { type ChangedFile, readChangedFiles } from "./git/read-changes.ts";
import { readRefCommit } from "./git/read-head.ts";
import { baseRefName, workerBranchRef, keptRefName, workRefName } from "./git/ref-names.ts";
import { changeRefs } from "./git/refs.ts";
import type { Repository } from "./git/repository.ts";
import { readSettings } from "./git/settings.ts";
import type { SandboxClone } from "./sandbox-clone.ts";
import { writeGitDirectory } from "./sandbox/git-directory.ts";
import { HAND_OVER_SCRIPT } from "./sandbox/hand-over-script.ts";
import { importLfsContent } from "./sandbox/import-lfs.ts";
import { importPack } from "./sandbox/import-pack.ts";
import { readHandOver } from "./sandbox/read-hand-over.ts";
import { markImported, markUnimported } from "./sandbox/unimported.ts";

export interface SandboxImport {
  readonly repository: Repository;
  readonly stateDirectory: string;
  readonly clone: SandboxClone;
  readonly sandbox: SandboxReport;
  /** Subject and body of the commit for the worker's uncommitted changes. */
  readonly message: string;
  readonly timeoutMs?: number;
  /** The whole pack is held in memory. */
  readonly maxPackBytes?: number;
}

export interface ImportedSandboxWork {
  readonly base: string;
  /** The newest commit, kept by `refs/ambit/work/<id>` and the branch. It is the base if nothing changed. */
  readonly tip: string;
  readonly filesChanged: readonly ChangedFile[];
  readonly nothingChanged: boolean;
  /** Commits that the worker made and then left; each has its own ref. */
  readonly kept: readonly string[];
  /** The worker's commits could not be packed and were dropped; its files were taken. */
  readonly historyDropped: boolean;
  /** Files that are not in the tip, as reported by the sandbox. */
  readonly leftOut: readonly string[];
  /** What was moved out of git's way. */
  readonly putAside: readonly PutAside[];
}

const TIMEOUT_MS = 600_000;
/** Packing in which nothing runs for this long waits for something that does not come. */
const MAX_STALL_MS = 60_000;
const MAX_PACK_BYTES = 128 * 1024 * 1024;
const SEARCH_PATH = "/usr/local/bin:/usr/bin:/bin";

/**
 * Imports the work of a sandboxed worker that has ended. It is committed and packed in a sandbox like the worker's;
 * the host reads bytes, checks them and moves refs. A hostile or broken pack throws `HAND_OVER_REFUSED` and changes
 * nothing.
 */
export async function importSandboxWork(request: SandboxImport): Promise<ImportedSandboxWork> {
  const { repository, stateDirectory, clone } = request;
  // Until the refs hold the work, nothing may remove the clone, not even after a restart.
  markUnimported(clone.folders);
  const putAside = await putAsideBlockers(clone.path, searchWhole(clone.path));
  await packInSandbox(request);
  const { base, id } = clone;
  const handOver = readHandOver(clone.folders.handOver, request.maxPackBytes ?? MAX_PACK_BYTES);
  const { tip, kept, historyDropped } = handOver;
  await importPack({ repository, stateDirectory, base, handOver });
  importLfsContent(join(clone.folders.handOver, "lfs"), join(repository.commonDirectory, "lfs"));
  const before = await readEarlierTip(repository, id, tip);
  await changeRefs(repository, [
    { ref: workerBranchRef(id), to: tip },
    { ref: baseRefName(id), to: base },
    { ref: workRefName(id), to: tip },
    ...[...kept, ...before].map((commit) => ({ ref: keptRefName(id, commit), to: commit })),
  ]);
  rmSync(clone.folders.handOver, { recursive: true, force: true });
  markImported(clone.folders);
  const filesChanged = tip === base ? [] : await readChangedFiles(repository, base, tip);
  const leftOut = handOver.leftOut.map(formatBytePath);
  const nothingChanged = filesChanged.length === 0;
  return { base, tip, filesChanged, nothingChanged, kept, historyDropped, leftOut, putAside };
}

/** Returns the tip of an earlier hand-over if this one does not contain it. */
async function readEarlierTip(repository: Repository, id: string, tip: string): Promise<readonly string[]> {
  const saved = await readRefCommit(repository, workRefName(id));
  return saved === undefined ? [] : listUnreachable(repository, tip, [saved]);
}

/** The folder is created again, and writable only for this step, so the worker never had access to it. */
async function packInSandbox(request: SandboxImport): Promise<void> {
  const { clone, sandbox } = request;
  const { handOver, root } = clone.folders;
  if (lstatSync(clone.path, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw workspaceErrors.cloneGone(clone.path);
  const gitDirectory = await prepareHandOver(request);
  const command = buildSandboxCommand({
    ...sandbox,
    argv: ["/bin/sh", "-c", HAND_OVER_SCRIPT, "hand-over", clone.path, gitDirectory, clone.base, clone.id],
    cwd: clone.path,
    writable: [clone.path, handOver],
    readOnly: clone.readOnly,
    home: clone.home,
    temporary: clone.temporary,
    environment: { PATH: SEARCH_PATH, ...(await author(request.repository)) },
  });
  const containment = await probeContainment();
  const contained = await launchProcess(
    {
      ...command,
      cwd: clone.path,
      logDirectory: join(root, "hand-over-logs"),
      runId: `hand-over-${randomBase36(16)}`,
      limits: buildPackLimits(request.timeoutMs ?? TIMEOUT_MS),
      tier: chooseLaunchTier(containment),
      onEvent: () => undefined,
    },
    { containment },
  );
  const facts = await waitOrStop(contained);
  if (facts.code === 0) return;
  const logs = join(clone.folders.root, "hand-over-logs");
  throw workspaceErrors.workNotPacked(clone.path, facts.problem ?? describePackEnd(facts), logs);
}

/** A stop of the import ends the packing at once: what it has packed so far is worth nothing. */
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

async function prepareHandOver({ repository, clone, message }: SandboxImport): Promise<string> {
  const { handOver, index } = clone.folders;
  rmSync(handOver, { recursive: true, force: true });
  mkdirSync(handOver, { mode: 0o700 });
  const path = join(handOver, "git");
  const objects = [...clone.readOnly, join(clone.path, ".git", "objects")];
  await writeGitDirectory({ repository, path, objects, head: clone.base });
  // These files were brought for the worker and are not its work, even if it removed them from `.gitignore`.
  appendFileSync(join(path, "info/exclude"), readRegularFile(clone.folders.ignores) ?? "");
  appendFileSync(join(path, "info/exclude"), `${ASIDE_PATTERN}\n`);
  copyIndexWithTime(index, join(path, "index"));
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
