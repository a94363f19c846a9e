import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { randomBase36 } from "../base/ids.ts";
import { probeSandbox } from "../containment/probe-sandbox.ts";
import { captureTree } from "./capture/capture-tree.ts";
import type { ProjectContext } from "./git/repository.ts";
import { isMountPoint } from "./prepare/overlay.ts";
import { findClaimedSlot, ownIndexPath } from "./records/record.ts";
import { readTreeId } from "./look-up.ts";
import { openSandboxClone } from "./sandbox-clone.ts";
import { importPack } from "./sandbox/import-pack.ts";
import { packInSandbox } from "./sandbox/pack-in-sandbox.ts";
import { readHandOver } from "./sandbox/read-hand-over.ts";
import { withSlotGit } from "./slots/check-out.ts";

/** Larger files are left out, because the capture is repeated while the worker writes. */
const MAX_FILE_BYTES = 2 * 1024 * 1024;
/** The limit is short, because a person waits for the capture. */
const PACK_TIMEOUT_MS = 30_000;
const MAX_PACK_BYTES = 32 * 1024 * 1024;

export interface LiveWork {
  /** The commit it began from. */
  readonly from: string;
  /** Its files as they are now: a tree, or that commit if nothing differs. */
  readonly to: string;
}

/**
 * Reads the changes of a worker so far from its checkout while it works. Keeps nothing and moves no ref. Undefined if it
 * has no checkout that this process sees.
 */
export async function captureLiveWork(context: ProjectContext, id: string): Promise<LiveWork | undefined> {
  const slot = findClaimedSlot(context.stateDirectory, id);
  if (slot === undefined) return captureSandbox(context, id);
  if (!slot.record.isReady) return undefined;
  const { record, claim } = slot;
  // An unmounted layer would look as if the worker had deleted everything.
  if (!record.layers.every(({ target }) => isMountPoint(target))) return undefined;
  const indexFile = ownIndexPath(context.stateDirectory, record.name);
  const { tree } = await withSlotGit(context, { ...record, commit: claim.base }, (git) =>
    captureTree({
      git,
      indexFile,
      tracked: "head",
      filters: [],
      nested: "leave-out",
      maxFileBytes: MAX_FILE_BYTES,
    }),
  );
  return { from: claim.base, to: tree ?? claim.base };
}

/**
 * The files of a private clone are read by a git inside a sandbox that cannot change the clone, as in an import: its
 * worker may be hostile, and is still at work. The host checks the pack that comes out.
 */
async function captureSandbox(context: ProjectContext, id: string): Promise<LiveWork | undefined> {
  const clone = await openSandboxClone(context, id);
  if (clone === undefined) return undefined;
  const { repository, stateDirectory } = context;
  const { base } = clone;
  const folder = join(clone.folders.root, `look-${randomBase36(10)}`);
  const sandbox = await probeSandbox();
  const limits = { timeoutMs: PACK_TIMEOUT_MS, isReadOnly: true };
  try {
    await packInSandbox({
      repository,
      clone,
      sandbox,
      message: "A look at work in progress\n",
      folder,
      ...limits,
    });
    const handOver = readHandOver(folder, MAX_PACK_BYTES);
    await importPack({ repository, stateDirectory, base, handOver });
    const to = handOver.tip === base ? base : await readTreeId(repository, handOver.tip);
    return { from: base, to };
  } catch (error) {
    // The worker ended meanwhile; its work is kept.
    if (!existsSync(clone.path)) return undefined;
    throw error;
  } finally {
    for (const path of [folder, `${folder}-logs`]) rmSync(path, { recursive: true, force: true });
  }
}
