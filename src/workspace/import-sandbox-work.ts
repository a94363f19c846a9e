import { rmSync } from "node:fs";
import { join } from "node:path";
import type { SandboxReport } from "../containment/probe-sandbox.ts";
import { listUnreachable } from "./capture/worker-commits.ts";
import { formatBytePath } from "./git/format-byte-path.ts";
import { putAsideBlockers, searchWhole, type PutAside } from "./git/put-aside.ts";
import { type ChangedFile, readChangedFiles } from "./git/read-changes.ts";
import { readRefCommit } from "./git/read-head.ts";
import { baseRefName, workerBranchRef, keptRefName, workRefName } from "./git/ref-names.ts";
import { changeRefs } from "./git/refs.ts";
import type { Repository } from "./git/repository.ts";
import type { SandboxClone } from "./sandbox-clone.ts";
import { importLfsContent } from "./sandbox/import-lfs.ts";
import { importPack } from "./sandbox/import-pack.ts";
import { packInSandbox } from "./sandbox/pack-in-sandbox.ts";
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
  /** The files that were moved out of git's way. */
  readonly putAside: readonly PutAside[];
}

const TIMEOUT_MS = 600_000;
const MAX_PACK_BYTES = 128 * 1024 * 1024;

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
  const { base, id, folders } = clone;
  await packInSandbox({
    ...request,
    folder: folders.handOver,
    timeoutMs: request.timeoutMs ?? TIMEOUT_MS,
    isReadOnly: false,
  });
  const handOver = readHandOver(folders.handOver, request.maxPackBytes ?? MAX_PACK_BYTES);
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
